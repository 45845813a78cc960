/**
 * `smista/conformance`: the promises of every adapter as Vitest suites over real sockets.
 *
 * `@stability` as in `smista/adapter`. A new release may bring new checks: `deviations` switches one off, with a reason.
 */

/** The promises of a carrier, from samples of its answers. @stability stable */
export { type CarrierSamples, CHECKS, type Check, testCarrier } from './carriers/conformance.ts';
/** A marketplace called as workers call it. @stability experimental */
export { callerOf as marketplaceCallerOf, failureOf } from './marketplaces/call-marketplace.ts';
/** The promises of a marketplace, from samples of its answers. @stability stable */
export { type MarketplaceSamples, testMarketplace } from './marketplaces/conformance.ts';
/** A draft that every Italian carrier takes. @stability experimental */
export { buildDraft } from './support/build-draft.ts';
/** A carrier called as workers call it. @stability experimental */
export { callerOf } from './support/call-carrier.ts';
/** A real HTTP server with prepared answers, in their order. @stability experimental */
export { type FakeServer, type Reply, startFakeServer } from './support/fake-server.ts';
/** The same by method and path, as the samples of a marketplace are written. @stability stable */
export type { ScriptedReply } from './support/scripted-server.ts';
