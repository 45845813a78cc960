import fc from 'fast-check';
// Every process of the product does so: zod's words must not depend on which test ran before.
import '../../src/lib/validation-words.ts';

/** A run of the suite is the same every time; `npm run fuzz` looks elsewhere, and names the seed of what it finds. */
const FIXED_SEED = 20_261_122;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? FIXED_SEED) });
