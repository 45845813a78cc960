import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Seconds. */
const TTL = 600;
const CLIENT = { client_id: 'smista', client_secret: 'hush-hush-hush-hush' };

export interface OidcServer {
  /** The settings of smista for it. */
  env: Record<string, string>;
  /** Who logs in at the provider from now on. */
  loginAs(claims: { email?: string; email_verified?: boolean }): void;
  /** Serves a client that comes back to this URL, and has forgotten every earlier login; before, every answer is 503. */
  open(redirectUri: string): void;
  /** Answers 503, or closes every connection, until `open`. */
  shut(how: 'busy' | 'gone'): void;
  /** How often the discovery document was read. */
  discoveries(): number;
  close(): Promise<void>;
}

/** Starts an OpenID provider that asks its visitor for nothing. */
export async function startOidcServer(): Promise<OidcServer> {
  let provider: Provider | null = null;
  let visitor: Record<string, unknown> = {};
  let discoveries = 0;
  let isGone = false;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/.well-known/')) discoveries += 1;
    if (isGone) return void request.socket.destroy();
    if (!provider) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    const login = { accountId: 'visitor' };
    provider.interactionFinished(request, response, { login }).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.client_id, OIDC_CLIENT_SECRET: CLIENT.client_secret },
    loginAs: (claims) => {
      visitor = claims;
    },
    open: (redirectUri) => {
      isGone = false;
      provider = providerAt(issuer, redirectUri, () => visitor);
    },
    shut: (how) => {
      isGone = how === 'gone';
      provider = null;
    },
    discoveries: () => discoveries,
    close: () => closed(server),
  };
}

function providerAt(issuer: string, redirectUri: string, visitor: () => Record<string, unknown>): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    cookies: { keys: ['test'] },
    ttl: { AccessToken: TTL, Grant: TTL, IdToken: TTL, Interaction: TTL, Session: TTL },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...visitor() }) }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT.client_id,
        accountId: context.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
