"""Proxies named in the environment: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY."""

from urllib.request import getproxies, proxy_bypass


def find_proxy(url: str) -> str | None:
    """Return the address of the proxy to call `url` through, or None for a direct connection."""
    scheme, _colon, rest = url.partition("://")
    known = getproxies()
    proxy = known.get(scheme) or known.get("all")
    if proxy is None or proxy_bypass(rest.partition("/")[0]):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
