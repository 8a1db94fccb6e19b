# Latchkey in a container: built in one stage, and only what runs in the other. Its steps stand in scripts/image.sh.
# The base is pinned by version, not by digest, so that a rebuild takes in its security fixes.
FROM node:24.21-bookworm AS build
WORKDIR /source
COPY .npmrc package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && scripts/image.sh /image && install -d -o node -g node -m 700 /image/data

FROM node:24.21-bookworm-slim
# Nothing is installed at run time, so nothing that installs is here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
WORKDIR /app
COPY --from=build /image /app
ENV NODE_ENV=production
USER node
# The embedded database and its secret; unused with PostgreSQL.
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "build/healthy.mjs"]
CMD ["node", "build/server.mjs"]
