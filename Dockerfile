FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY lql/package.json lql/
COPY server/package.json server/
COPY cli/package.json cli/
COPY agent/package.json agent/
COPY console/package.json console/
COPY cli/bin cli/bin
COPY bench/package.json bench/
COPY attack/package.json attack/
RUN npm ci
COPY . .
RUN npm run build \
  && npm prune --omit=dev \
  && find lql/dist server/dist cli/dist agent/dist -name '*.test.*' -delete \
  && rm -rf attack bench conformance console/src console/tools server/dist/testing agent/dist/testing

FROM node:22-bookworm-slim
ENV NODE_ENV=production VEDETTE_HOST=0.0.0.0 VEDETTE_DATA_DIR=/data
# Of a container there is little to report; hosts have agents of their own.
ENV VEDETTE_LOCAL_AGENT=off
# Freed memory goes back to the system: decision 61.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=262144
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data && chmod 700 /data \
  && ln -s /app/cli/bin/vedette.js /usr/local/bin/vedette
USER node
VOLUME /data
EXPOSE 8480
HEALTHCHECK --interval=15s --timeout=3s --start-period=15s CMD ["node", "server/dist/health.js"]
CMD ["node", "--max-semi-space-size=8", "server/dist/start.js"]
