/** The help of `sluice board`. */

export const usage = `Usage: sluice board [options]

Serves a board for job queues of BullMQ, Bull and pg-boss.

Datastores (default: Redis on this machine; several may be given)
  -r, --redis <url>        BullMQ and Bull: redis://, rediss://, a socket; --kv
  --sentinel <host:port,...> --sentinel-name <name> --sentinel-password <word>
  --cluster <host:port,...>  a Redis Cluster
  --kv-username, --kv-password, --kv-db <n>   with sentinels and clusters
  --postgres <url>         BullMQ on PostgreSQL; --postgres-schema <name>
  --pgq <url>              pg-boss; --pgq-schema <name>, --pgq-queues <a,b>,
                           --pgq-path </pgq> beside another board
Queues
  --prefix <a,b>           key prefixes of BullMQ and Bull (default: bull)
  --queues <a,b>           only these; --scan-interval <s>: look for new ones
                           every so often (default: 10; 0: once)
Server
  -p, --port <n>           default 3000; --host <address> default 127.0.0.1
  --base-path </path>      --public-url <url> in front of a proxy
  --trust-proxy <n>        number of proxies in front (default: 0)
  --read-only              no changes; --board-title <text>
Who may use it (one of three; required for a --host beyond this machine)
  --user <name> --password <word>
  --token <a,b>            --token-header <name>
  --oidc-url <url> --oidc-realm <name>, or --oidc-issuer <url>; with
  --oidc-client-id, --oidc-client-secret, --oidc-roles <a,b>, --oidc-bearer-only
  --session-secret <word>  keeps sessions over restarts
  --insecure-no-auth       everybody, on purpose
Further
  --history                record metrics; --history-retention-days <n> (90)
  --config <file>          default: sluice.config.{mjs,js,cjs,json}
  --no-open                no browser; --browser <command>: another one
  --no-retry               fail when a datastore is away, instead of waiting
  -h, --help  -v, --version

Each flag is also a variable, such as BOARD_PORT; secrets belong there.
Exit codes: 0 stopped, 1 failure, 2 wrong usage. More: docs/command-line.md
`;
