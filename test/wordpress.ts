import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { until } from './program.ts'

/** WordPress as Debian has it, with a MariaDB of its own, to run a plugin in. */

const SOURCE = '/usr/share/wordpress'
const MARIADB = '/usr/sbin/mariadbd'

export const hasWordPress = (): boolean =>
  existsSync(SOURCE) &&
  existsSync(MARIADB) &&
  spawnSync('php', ['-r', 'exit(function_exists("mysqli_connect") ? 0 : 1);']).status === 0

/** Orders as the test reads them, and the page of the front without a theme, which Debian has apart. */
const OF_THE_TEST = `<?php
add_action('template_redirect', function () {
  if (!is_front_page()) return;
  echo apply_filters('the_content', get_post(get_option('page_on_front'))->post_content);
  exit;
}, 20);
add_action('init', function () {
  if (!preg_match('#^/orders/([a-z0-9-]+)$#', $_SERVER['REQUEST_URI'], $found)) return;
  wp_send_json(get_option("checkstand_$found[1]") ?: null);
});
`

const INSTALL = `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require 'wp-load.php';
require 'wp-admin/includes/upgrade.php';
wp_install('Roastery', 'admin', 'admin@shop.test', true, '', 'correct horse battery');
update_option('permalink_structure', '/%postname%/');
update_option('active_plugins', ['checkstand.php']);
$page = wp_insert_post([
  'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Coffee',
  'post_content' => '[checkstand name="Two bags of \\'coffee\\'" amount="24.00" currency="EUR"]',
]);
update_option('show_on_front', 'page');
update_option('page_on_front', $page);
`

/**
 * Installs WordPress with `plugin` and a home page that has its short code. Returns the folder to serve by
 * `php -S`. Ends with the test.
 */
export async function installWordPress(
  plugin: string,
  base: string,
  constants: Record<string, string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-wordpress-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const socket = await startMariaDb(folder)
  const site = join(folder, 'site')
  cpSync(SOURCE, site, { recursive: true, dereference: true })
  const content = join(site, 'wp-content')
  copyFileSync(plugin, join(content, 'plugins/checkstand.php'))
  mkdirSync(join(content, 'mu-plugins'), { recursive: true })
  writeFileSync(join(content, 'mu-plugins/of-the-test.php'), OF_THE_TEST)
  const defined = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${socket}`,
    WP_HOME: base,
    WP_SITEURL: base,
    ...constants,
  }
  const lines = Object.entries(defined).map(([name, value]) => `define('${name}', '${value}');`)
  const flags = `define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true);`
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php\n${lines.join('\n')}\n${flags}\n$table_prefix = 'wp_';\nrequire_once ABSPATH . 'wp-settings.php';\n`,
  )
  writeFileSync(join(site, 'install.php'), INSTALL)
  execFileSync('php', ['-d', 'sendmail_path=/bin/true', 'install.php'], {
    cwd: site,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return site
}

/** Starts a database of its own. Returns the path of its socket. */
async function startMariaDb(folder: string): Promise<string> {
  const data = join(folder, 'data')
  const socket = join(folder, 'mariadb.sock')
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...user],
    { stdio: 'ignore' },
  )
  const options = ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking']
  const server = spawn(MARIADB, [...options, ...user], { stdio: 'ignore' })
  atEnd(async () => {
    server.kill()
    await once(server, 'exit')
  })
  const client = ['--no-defaults', `--socket=${socket}`, '--user=root']
  const create = [...client, '--execute', 'create database wordpress']
  await until('MariaDB', async () => spawnSync('mariadb', create).status === 0)
  return socket
}
