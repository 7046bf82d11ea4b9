import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { readConfiguration } from './platform/configuration.ts';

/** Container health check: exits with 0 if the configured server responds. */
const { configuration } = readConfiguration(process.env);
const { VEDETTE_PORT: port, VEDETTE_TLS, VEDETTE_TLS_CERT } = configuration;
const request = VEDETTE_TLS || VEDETTE_TLS_CERT ? overHttps : overHttp;

// The certificate is issued for the public host name, so it is not verified here.
request(
  { host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false, timeout: 2_000 },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on('error', () => process.exit(1))
  .on('timeout', () => process.exit(1))
  .end();
