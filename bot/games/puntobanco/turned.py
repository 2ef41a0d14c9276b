"""In which order players turn cards themselves (PB10): punto's two, banco's two, then punto's third, then banco's."""

from bot.core.state.plays import Turn, Turned

TURNED = Turned(
    (
        (Turn("punto", to="punto", spot="punto", size=2),),
        (Turn("banco", to="banco", spot="banco", size=2),),
        (Turn("punto-third", to="punto", spot="punto", first=3),),
        (Turn("banco-third", to="banco", spot="banco", first=3),),
    ),
    clause="PB10",
)
