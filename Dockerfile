# The image of Checkstand: `docker build -t checkstand .`. See docs/operations.md.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm rebuild node \
  && npm run build:page && npm run build:server \
  && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-bookworm-slim
COPY --from=build /tmp/checkstand-*.tgz /tmp/
WORKDIR /opt/server
# The one package with native code brings it built. `sbom.cdx.json` lists what is installed.
RUN npm init --yes > /dev/null \
  && npm install --ignore-scripts --no-audit --no-fund /tmp/checkstand-*.tgz \
  && npm sbom --sbom-format cyclonedx > sbom.cdx.json \
  && ln -s /opt/server/node_modules/.bin/checkstand /usr/local/bin/checkstand \
  && rm -r /tmp/checkstand-*.tgz /root/.npm \
  && mkdir /data && chown 10001:10001 /data
ENV HOST=0.0.0.0 \
  NODE_OPTIONS=--max-semi-space-size=8 \
  MALLOC_ARENA_MAX=1 \
  DATABASE_URL=file:/data/checkstand.db
USER 10001:10001
VOLUME /data
EXPOSE 4242
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s --retries=3 CMD ["checkstand", "doctor", "--ready"]
ENTRYPOINT ["checkstand"]
CMD ["serve"]
