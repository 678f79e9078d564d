# docker build -t opensocial-sso .
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The builds open many files at once, and the default limit of a container may be 1024.
RUN ulimit -n "$(ulimit -Hn)" && npm run build
# Leaves only the packages that the server and its commands load: everything else is part of the files that were built. The commands
# run these files without looking for changes of the sources.
RUN npm pkg delete dependencies devDependencies \
  && npm pkg delete dependencies devDependencies --workspace @opensocial/console --workspace @opensocial/signin --workspace @opensocial/e2e \
  && npm pkg delete "dependencies[@phosphor-icons/core]" "dependencies[@fortawesome/fontawesome-free]" --workspace @opensocial/server \
  && npm prune --omit=dev --ignore-scripts \
  && for name in audit backup migrate network recover rekey restore; do npm pkg set "scripts.$name=node apps/server/dist/cli/$name.js"; done \
  && rm -rf apps/*/dist/.built-* packages/look/src apps/server/src/testing node_modules/@opensocial/e2e

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data npm_config_cache=/tmp/npm npm_config_update_notifier=false
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/apps/server apps/server
COPY --from=build /app/apps/console/package.json apps/console/package.json
COPY --from=build /app/apps/console/dist apps/console/dist
COPY --from=build /app/apps/signin/package.json apps/signin/package.json
COPY --from=build /app/apps/signin/dist apps/signin/dist
# A new volume gets owner and mode of the folder that it covers.
RUN mkdir -m 0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/dist/main.js"]
