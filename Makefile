# Everything a newcomer needs. Each target does its own set-up.

.DEFAULT_GOAL := help
.PHONY: help run test check bench lighthouse dev release demo-cluster site openapi

help: ## What there is to make
	@sed -n 's/^\([a-z-]*\): ## /  make \1\t/p' Makefile | expand -t 22

run: ## Build, start the registry simulator and the server, print a key and a call to try
	@scripts/run.sh

test: ## Everything that is tested: units, the server over sockets, its interface, pages in Chromium
	@scripts/test.sh

check: ## Formatting, lints, dependencies, scripts, spelling
	@scripts/check.sh

bench: ## Every goal of docs/performance.md, measured beside a reference and beside libraries of others
	@scripts/bench.sh

lighthouse: ## Lighthouse’s marks for the pages, of the program as it is given away
	@scripts/lighthouse.sh

dev: ## As run, but built and started anew on every change
	@scripts/dev.sh

demo-cluster: ## Two instances over PostgreSQL and Redis behind a proxy, to try what happens when one dies
	@scripts/demo-cluster.sh

release: ## One program with everything inside, into target/dist, tried alone
	@scripts/release.sh

site: ## What the browser gets, into target/site
	@scripts/setup.sh build
	@scripts/build-site.sh

openapi: ## Write docs/openapi.json anew
	cargo run --quiet --locked --package crossvat -- print-openapi > target/openapi.json
	mv target/openapi.json docs/openapi.json
