/** Gateways that people use, started as programs in front of a service on the loopback interface. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { emptyFolder } from '../e2e/command.ts';

/** Where a gateway listens, what it stands in front of, and a folder of its own. */
interface Place {
  readonly port: number;
  readonly upstream: string;
  readonly folder: string;
}

/** A program that stands in front of a service. */
export interface GatewayProgram {
  readonly name: string;
  readonly program: string;
  /** Its words on the command line; `config` is the file that holds its configuration. */
  readonly words: (config: string, place: Place) => readonly string[];
  readonly config: (place: Place) => string;
  /** The path below which the service is found. */
  readonly prefix?: string;
}

interface NginxParts {
  readonly http?: string;
  readonly location: string;
  readonly at?: string;
}

/** nginx with these lines in `http` and in its one location. */
function nginx(name: string, { http = '', location, at = '/' }: NginxParts): GatewayProgram {
  const config = ({ port, upstream, folder }: Place): string => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    return `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
      events { worker_connections 256; }
      http {
        access_log off; ${temporary.map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')}
        upstream service { server ${upstream}; ${http.includes('keepalive') ? 'keepalive 16;' : ''} }
        ${http.replace(/keepalive;/, '')}
        server { listen 127.0.0.1:${port}; location ${at} { ${location} } }
      }`;
  };
  const words = (file: string, { folder }: Place): readonly string[] => ['-p', folder, '-c', file, '-e', 'stderr'];
  return { name, program: 'nginx', words, config, ...(at === '/' ? {} : { prefix: at.slice(0, -1) }) };
}

const HAPROXY: GatewayProgram = {
  name: 'HAProxy',
  program: 'haproxy',
  words: (file) => ['-db', '-f', file],
  config: ({ port, upstream }) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server service ${upstream}
`,
};

const APACHE_MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http'] as const;

const APACHE: GatewayProgram = {
  name: 'Apache',
  program: 'apache2',
  words: (file, { folder }) => ['-d', folder, '-f', file, '-DFOREGROUND'],
  config: ({ port, upstream, folder }) => `ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Mutex file:${folder}
User nobody
Group nogroup
${APACHE_MODULES.map((one) => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`).join('\n')}
AllowEncodedSlashes NoDecode
ProxyPass / http://${upstream}/ nocanon
`,
};

const VARNISH: GatewayProgram = {
  name: 'Varnish',
  program: 'varnishd',
  words: (file, { port, folder }) => [
    ...['-F', '-j', 'none', '-f', file, '-a', `127.0.0.1:${port}`],
    ...['-n', join(folder, 'work'), '-s', 'malloc,32m'],
  ],
  config: ({ upstream }) => {
    const [host, port] = upstream.split(':');
    return `vcl 4.1;\nbackend default { .host = "${host}"; .port = "${port}"; }\n`;
  },
};

/** As they are set up most often. */
export const GATEWAY_PROGRAMS: readonly GatewayProgram[] = [
  nginx('nginx', { location: 'proxy_pass http://service;' }),
  nginx('nginx with connections that are kept', {
    http: 'keepalive;',
    location: 'proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection "";',
  }),
  nginx('nginx that normalises paths', { location: 'proxy_pass http://service/;' }),
  nginx('nginx with gzip below a prefix', {
    http: 'gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any;',
    at: '/api/pcs/',
    location: 'proxy_pass http://service/;',
  }),
  nginx('nginx with a rate limit that queues', {
    http: 'limit_req_zone $binary_remote_addr zone=callers:1m rate=100r/s;',
    location: 'limit_req zone=callers burst=400; proxy_pass http://service;',
  }),
  HAPROXY,
  APACHE,
  VARNISH,
];

/** nginx that answers with pages of its own: 429 beyond a rate, 413 to bodies over 4 KiB. */
export const NGINX_PAGES = nginx('nginx with pages of its own', {
  http: 'limit_req_zone $binary_remote_addr zone=callers:1m rate=60r/s; client_max_body_size 4k;',
  location: 'limit_req zone=callers burst=60 nodelay; limit_req_status 429; proxy_pass http://service;',
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  );
}

/** Starts the gateway in front of the service at that URL, works with it and stops it. */
export async function behind<T>(
  { program, words, config, prefix = '' }: GatewayProgram,
  url: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const folder = emptyFolder();
  const place: Place = { port: await freePort(), upstream: new URL(url).host, folder };
  const file = join(folder, 'gateway.conf');
  writeFileSync(file, config(place));
  const child = spawn(program, words(file, place), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit');
  try {
    const here = `http://127.0.0.1:${place.port}${prefix}`;
    for (let tried = 0; !(await answers(here)); tried += 1) {
      if (tried === 200 || child.exitCode !== null) throw new Error(`${program} does not listen: ${said}`);
      await setTimeout(100);
    }
    return await work(here);
  } finally {
    child.kill();
    await ended;
  }
}
