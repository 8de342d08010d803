# sluice board as an image: docker build -t sluice-board . (see docs/command-line.md)
FROM node:24-slim AS package
WORKDIR /source
# Dependencies are a layer of their own: a change of the sources does not install them again.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild esbuild
COPY . .
RUN mkdir /package && npm pack --pack-destination /package

FROM node:24-slim
ENV NODE_ENV=production \
    BOARD_HOST=0.0.0.0 \
    BOARD_OPEN=false
WORKDIR /board
# The files belong to root, so that the board cannot change them; it writes none. Install scripts do not run.
RUN --mount=type=bind,from=package,source=/package,target=/package \
    npm init --yes > /dev/null \
 && npm install --omit=dev --ignore-scripts --no-audit --no-fund \
      /package/*.tgz bullmq@6 bull@4 ioredis@6 pg@8 pg-boss@12 \
 && npm cache clean --force
USER node
EXPOSE 3000
# A board that asks for authentication (401) is alive; one whose datastore has not answered yet (503) is not ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BOARD_PORT||3000}/${process.env.BOARD_BASE_PATH||''}/api/status`.replace(/([^:])\\/+/g,'$1/')).then(({ok,status})=>process.exit(ok||status===401?0:1),()=>process.exit(1))"]
# Without a shell in between: SIGTERM reaches the board, which ends within 3 s.
ENTRYPOINT ["/board/node_modules/.bin/sluice", "board"]
