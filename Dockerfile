# The console's files are made here, since the image has no bundler.
FROM node:24-slim AS console
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && node scripts/bundle-console.ts

FROM node:24-slim

ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY bin bin
COPY src src
COPY --from=console /app/console/built console/built

# Only for what nobody chose: without SECRET_KEY, ADMIN_PASSWORD or DATABASE_URL it is made here.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data

EXPOSE 3000
# For the api; processes without that role serve no HTTP and switch it off.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]
