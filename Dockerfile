# The released program in an image: docker build --tag crossvat . None of the project's checks builds it, for want of Docker where
# they run.
FROM debian:12 AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make ca-certificates
WORKDIR /source
COPY . .
RUN make release

FROM debian:12-slim
# Which certificates of registries and mail servers are trusted is the system's to say.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /var/lib/crossvat --shell /usr/sbin/nologin crossvat
COPY --from=build /source/target/dist/ /opt/crossvat/
USER crossvat
WORKDIR /var/lib/crossvat
VOLUME /var/lib/crossvat
# Inside, everybody is listened to: publish the port to the proxy alone. CROSSVAT_HTTP__PUBLIC_URL has to be set for mail.
ENV CROSSVAT_HTTP__BIND=0.0.0.0:8080 CROSSVAT_DATABASE__URL=sqlite:///var/lib/crossvat/crossvat.db CROSSVAT_LOG__FORMAT=json
EXPOSE 8080
ENTRYPOINT ["/opt/crossvat/crossvat"]
CMD ["serve"]
