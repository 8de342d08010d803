/**
 * A current MySQL or MariaDB without containers: Debian packages of its unstable suite, unpacked into a folder of their
 * own together with the C library that they need. Nothing of the machine is changed, except that root's server runs as
 * an account `mysql`, because MySQL refuses to run as root.
 *
 *     node tools/mysql-server.ts unpack mysql mariadb   # downloads what is not there yet
 *     node tools/mysql-server.ts run mysql 3399         # in the foreground: mysql://root@127.0.0.1:3399
 *
 * The folder is `SLUICE_SERVERS`, by default `sluice-servers` in the folder for temporary files.
 */

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The kinds of servers, with the version of each that the documents name; its patches follow. */
export const series = { mysql: '9.7', mariadb: '11.8' } as const;
export type Kind = keyof typeof series;

/** The Debian package of each, in the series: where the suite has another one, the installation fails. */
const packages: { readonly [Each in Kind]: string } = {
  mysql: `mysql-server-core=${series.mysql}.*`,
  mariadb: `mariadb-server-core=1:${series.mariadb}.*`,
};

const folderOf = (kind: Kind): string =>
  path.join(process.env['SLUICE_SERVERS'] ?? path.join(tmpdir(), 'sluice-servers'), kind);
const rootOf = (kind: Kind): string => path.join(folderOf(kind), 'root');
const markOf = (kind: Kind): string => path.join(folderOf(kind), 'unpacked');

/** Whether the server can be run. */
export const isUnpacked = (kind: Kind): boolean => existsSync(markOf(kind));

function must(program: string, args: readonly string[], input?: string): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.slice(-800)}`);
}

/** The address of a Debian archive that this machine is set up for. */
function mirror(): string {
  const lists = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*')];
  for (const list of lists.filter((file) => existsSync(file))) {
    const found = /https?:\/\/[^\s]+\/debian\/?(?=\s|$)/m.exec(readFileSync(list, 'utf8'))?.[0];
    if (found && !found.includes('snapshot')) return found;
  }
  throw new Error('No Debian mirror is configured on this machine.');
}

/** Downloads and unpacks the server and everything that it depends on. */
export function unpack(kind: Kind): void {
  if (isUnpacked(kind)) return;
  const apt = path.join(folderOf(kind), 'apt');
  for (const part of ['lists/partial', 'cache/partial']) {
    mkdirSync(path.join(apt, part), { recursive: true });
  }
  mkdirSync(rootOf(kind), { recursive: true });
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const sources = path.join(apt, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${keyring}] ${mirror()} sid main\n`);
  const settings = {
    'Dir::State::lists': path.join(apt, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache::archives': path.join(apt, 'cache'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'APT::Sandbox::User': 'root',
    // A mirror may lag behind; the archive is signed all the same.
    'Acquire::Check-Valid-Until': 'false',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  must('apt-get', [...options, '-qq', 'update']);
  const install = ['install', '--yes', '--no-install-recommends', '--download-only'];
  must('apt-get', [...options, '-qq', ...install, packages[kind]]);
  for (const file of globSync(path.join(apt, 'cache', '*.deb'))) {
    if (!path.basename(file).startsWith('perl')) must('dpkg-deb', ['-x', file, rootOf(kind)]);
  }
  writeFileSync(markOf(kind), '');
}

/** A server that has its data and can be started. */
export interface Prepared {
  readonly program: string;
  readonly args: readonly string[];
}

/** Makes an empty data folder below `directory`, in which `root` needs no password, for a server on the port. */
export function prepare(kind: Kind, directory: string, port: number): Prepared {
  const root = rootOf(kind);
  const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu');
  const program = path.join(libraries, 'ld-linux-x86-64.so.2');
  const data = path.join(directory, 'data');
  const asRoot = process.getuid?.() === 0;
  mkdirSync(path.join(data, 'mysql'), { recursive: true });
  if (asRoot) {
    if (spawnSync('id', ['mysql']).status !== 0) {
      must('useradd', ['--system', '--no-create-home', 'mysql']);
    }
    must('chown', ['-R', 'mysql', directory]);
    chmodSync(directory, 0o755);
  }
  const own = [path.join(root, 'usr/lib/mysql/private'), path.join(root, 'usr/lib/mysql')];
  const server = (daemon: string): string[] => [
    '--library-path',
    [libraries, ...own].join(':'),
    path.join(root, 'usr/sbin', daemon),
    '--no-defaults',
    `--basedir=${path.join(root, 'usr')}`,
    `--datadir=${data}`,
    // A server that starts empties its directory for temporary tables.
    `--tmpdir=${directory}`,
    `--plugin-dir=${path.join(root, 'usr/lib/mysql/plugin')}`,
    `--lc-messages-dir=${path.join(root, 'usr/share', kind)}`,
    `--socket=${path.join(directory, 'socket')}`,
    `--pid-file=${path.join(directory, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-log-bin',
    '--innodb-flush-log-at-trx-commit=2',
    ...(asRoot ? ['--user=mysql'] : []),
  ];
  if (kind === 'mysql') {
    const args = [...server('mysqld'), '--mysqlx=OFF', '--secure-file-priv=NULL'];
    must('rmdir', [path.join(data, 'mysql')]);
    must(program, [...args, '--initialize-insecure']);
    return { program, args };
  }
  const share = path.join(root, 'usr/share/mariadb');
  const scripts = ['system_tables', 'performance_tables', 'system_tables_data']
    .map((name) => path.join(share, `mariadb_${name}.sql`))
    .map((file) => readFileSync(file, 'utf8'));
  const args = server('mariadbd');
  must(program, [...args, '--bootstrap'], `use mysql;\n${scripts.join('\n')}`);
  const accounts = path.join(directory, 'accounts.sql');
  const grants = ["root@'127.0.0.1'", 'root@localhost'].map(
    (account) =>
      `create user if not exists ${account} identified by '';\ngrant all on *.* to ${account} with grant option;\n`,
  );
  writeFileSync(accounts, grants.join(''));
  return { program, args: [...args, `--init-file=${accounts}`] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, ...given] = process.argv.slice(2);
  const kinds = given.filter((word): word is Kind => word in series);
  const [kind] = kinds;
  if (command === 'unpack' && kind) {
    for (const each of kinds) unpack(each);
  } else if (command === 'run' && kind) {
    unpack(kind);
    const port = Number(given[1] ?? 3399);
    const directory = path.join(folderOf(kind), `on-${port}-${process.pid}`);
    const { program, args } = prepare(kind, directory, port);
    console.log(`mysql://root@127.0.0.1:${port}`);
    const server = spawn(program, args, { stdio: 'inherit' });
    process.once('SIGTERM', () => server.kill());
    server.once('exit', (code) => (process.exitCode = code ?? 1));
  } else {
    throw new Error('usage: node tools/mysql-server.ts unpack KIND... | run KIND [PORT]');
  }
}
