"""What is run beside the house: simulations, storms, benchmarks, the gallery, the doctor."""
