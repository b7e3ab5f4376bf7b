# The service as `npm start` runs it, on one machine: docs/self-hosting.md#in-a-container. `.ci/container.mjs` carries these steps out.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

WORKDIR /app
# The packages first: they change less often than the code.
COPY .npmrc package.json package-lock.json ./
COPY codec/package.json codec/
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
RUN node tools/build/build.ts
RUN install --directory --mode=700 --owner=node --group=node /data

# It writes into /data alone.
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "tools/serve/start.ts", "--host", "0.0.0.0", "--port", "8787", "--data", "/data"]
# Further options of `npm start` take the place of these.
CMD ["--domains", "localhost"]
