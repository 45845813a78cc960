import type { Configuration } from 'openid-client';
import { Problem } from './errors.ts';

/** How long the provider's endpoints and keys are believed. */
const DISCOVERY_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;

export interface IdentityProviderOptions {
  /** The discovery document is below it. HTTP only on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  now: () => Date;
}

/** A login that a browser began and has to bring back. */
export interface BegunLogin {
  state: string;
  nonce: string;
  verifier: string;
}

/** The identity that a provider names. */
export interface ProvenIdentity {
  email: string;
  isVerified: boolean;
}

/** Logs people in with OpenID Connect: the authorization code flow with PKCE. */
export interface IdentityProvider {
  /** Returns the URL that the browser goes to. Throws a 503 while the provider is away. */
  begin(redirectUri: string): Promise<{ url: URL; begun: BegunLogin }>;
  /**
   * Returns the identity that the provider's answer proves; null: it proves none.
   * @param answered the URL that the browser came back to
   * Throws a 503 while the provider is away.
   */
  finish(answered: URL, begun: BegunLogin): Promise<ProvenIdentity | null>;
}

/** Creates the client of an identity provider, which is asked for its endpoints by the first login. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { now } = options;
  let known: { configuration: Configuration; until: number } | null = null;

  let pending: Promise<Configuration> | null = null;

  /** Logins of one moment share a discovery. A failed one is not remembered. */
  const configurationOf = (): Promise<Configuration> => {
    if (known && known.until > now().getTime()) return Promise.resolve(known.configuration);
    pending ??= discover(options)
      .then(
        (configuration) => {
          known = { configuration, until: now().getTime() + DISCOVERY_MS };
          return configuration;
        },
        (cause: unknown) => {
          throw providerAway(cause);
        },
      )
      .finally(() => {
        pending = null;
      });
    return pending;
  };

  return {
    async begin(redirectUri) {
      const client = await import('openid-client');
      const configuration = await configurationOf();
      const verifier = client.randomPKCECodeVerifier();
      const begun = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url, begun };
    },
    async finish(answered, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const configuration = await configurationOf();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, answered, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) return null;
        // Many providers name the address only here.
        const { email, email_verified: isVerified } =
          claims.email === undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return typeof email === 'string' ? { email, isVerified: isVerified === true } : null;
      } catch (error) {
        if (isAway(error)) throw providerAway(error);
        return null;
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: IdentityProviderOptions): Promise<Configuration> {
  const client = await import('openid-client');
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(server, clientId, clientSecret, client.ClientSecretBasic(clientSecret), {
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
  });
}

/** Tells a provider that does not answer, or answers with a failure of its own, from one that refuses. */
function isAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { status, name } = at as { status?: unknown; name: string };
    if (typeof status === 'number') return status >= 500;
    if (name === 'TimeoutError' || name === 'AbortError') return true;
    // `fetch` throws it when no answer came.
    if (at instanceof TypeError && at.message === 'fetch failed') return true;
    if (at.cause instanceof Response) return at.cause.status >= 500;
  }
  return false;
}

function providerAway(cause: unknown): Problem {
  return new Problem('The identity provider does not answer: log in with your password, or try again', {
    status: 503,
    code: 'identity-provider-away',
    title: 'Not ready',
    source: 'platform',
    retryable: true,
    headers: { 'Retry-After': '10' },
    cause,
  });
}
