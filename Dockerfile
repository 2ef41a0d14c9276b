# The house without root; it writes to /data alone. compose.yaml starts it, docs/host/install.md tells the rest.
# The digest is that of an index of all architectures; `make pins` tells the newest one.
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY storage storage
COPY bot bot
COPY .ci/licences.py ./
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_BUILD_CONSTRAINT=/src/constraints.txt
RUN python -m venv /opt/ridotto && /opt/ridotto/bin/pip install -c constraints.txt '.[postgres,push]' \
    && /opt/ridotto/bin/python licences.py /opt/licences

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN groupadd --system --gid 10001 ridotto \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin ridotto \
    && install -d -o ridotto -g ridotto -m 0700 /data /backups
COPY --from=build /opt/ridotto /opt/ridotto
COPY --from=build /opt/licences /usr/share/licenses/ridotto
WORKDIR /opt/ridotto
USER 10001:10001
ENV PATH=/opt/ridotto/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# Inside its container the lounge listens beyond loopback: without RIDOTTO_WEB_PASSWORD it does not open.
ENV RIDOTTO_DATA=/data RIDOTTO_WEB=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=20s --interval=15s --timeout=5s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["/opt/ridotto/bin/ridotto"]
