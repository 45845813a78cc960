import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Which layer may import which, low to high; its own folder is always allowed. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  domain: ['lib'],
  documents: ['domain', 'lib'],
  carriers: ['domain', 'lib'],
  marketplaces: ['domain', 'lib'],
  embedded: ['lib'],
  db: ['domain', 'lib'],
  queue: ['domain', 'lib'],
  engine: ['carriers', 'marketplaces', 'db', 'queue', 'domain', 'lib'],
  usecases: ['engine', 'carriers', 'marketplaces', 'db', 'queue', 'documents', 'domain', 'lib'],
  api: ['usecases', 'engine', 'documents', 'domain', 'lib'],
  workers: ['usecases', 'engine', 'queue', 'domain', 'lib'],
  scheduler: ['usecases', 'engine', 'queue', 'domain', 'lib'],
  cli: ['usecases', 'engine', 'domain', 'lib'],
  demo: ['usecases', 'embedded', 'domain', 'lib'],
};

/** The rooms of `usecases/` and `api/routes/`. Code lives in the room of the noun that it changes, on every floor. */
const NOUNS = [
  ...['addresses', 'attention', 'audit', 'corrections', 'documents', 'events', 'exchanges', 'held', 'imports'],
  ...[
    'manifests',
    'marketplaces',
    'operations',
    'orders',
    'overview',
    'partners',
    'people',
    'persons',
    'pickups',
    'printers',
    'quotes',
    'rules',
    'search',
    'setup',
    'shipments',
    'tariffs',
  ],
  ...['tracking', 'upkeep'],
];
/** They put the rooms of their floor together. */
const FLOOR_PLANS = ['src/api/routes/index.ts', 'src/api/routes/operation-bodies.ts'];

/** The one file through which commands reach the composition root. */
const COMMAND_DOOR = 'src/cli/with-core.ts';

/** The layers above know adapters by these alone; the common files beside them are for adapters. */
const CONTRACTS = /^src\/(carriers|marketplaces)\/adapter\.ts$/;
const REGISTRIES = /^src\/(carriers|marketplaces)\/index\.ts$/;

interface Import {
  from: string;
  to: string;
}

const files = globSync('src/**/*.ts').map((file) => file.replaceAll(path.sep, '/'));
const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target = '']) => ({
    from: file,
    to: path.posix.join(path.posix.dirname(file), target),
  })),
);

function layerOf(file: string): string {
  const [, folder = '', rest] = file.split('/');
  return rest === undefined ? 'root' : folder;
}

/** `carriers/gls-it` for a file inside an adapter, else null. */
function adapterOf(file: string): string | null {
  return /^src\/((?:carriers|marketplaces)\/(?!adapter\/)[^/]+)\//.exec(file)?.[1] ?? null;
}

function shown(broken: readonly Import[]): string[] {
  return broken.map(({ from, to }) => `${from} -> ${to}`);
}

describe('the architecture', () => {
  it('has files to look at', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports.length).toBeGreaterThan(300);
  });

  it('has arrows that point down only', () => {
    const broken = imports.filter(({ from, to }) => {
      const [below, above] = [layerOf(to), layerOf(from)];
      if ((from === COMMAND_DOOR || above === 'demo') && below === 'root') return false;
      return above !== 'root' && below !== above && !MAY_IMPORT[above]?.includes(below);
    });

    expect(shown(broken)).toEqual([]);
  });

  it('keeps adapters apart from each other and behind their contract', () => {
    const broken = imports.filter(({ from, to }) => {
      const inside = adapterOf(to);
      if (inside !== null) return adapterOf(from) !== inside && !REGISTRIES.test(from);
      const isAdapterLayer = /^(carriers|marketplaces)$/.test(layerOf(to));
      if (layerOf(from) === layerOf(to)) return REGISTRIES.test(to);
      return isAdapterLayer && layerOf(from) !== 'root' && !CONTRACTS.test(to);
    });

    expect(shown(broken)).toEqual([]);
  });

  it.each(['usecases', 'api/routes'])('has no code of %s outside of a room, and no circle among the rooms', (floor) => {
    const roomOf = (file: string) => new RegExp(`^src/${floor}/([^/]+)/[^/]+$`).exec(file)?.[1] ?? null;
    const homeless = files.filter((file) => {
      return file.startsWith(`src/${floor}/`) && !FLOOR_PLANS.includes(file) && !NOUNS.includes(roomOf(file) ?? '');
    });
    const next = Map.groupBy(imports, ({ from }) => roomOf(from));
    const reach = (room: string, seen: Set<string>): Set<string> => {
      for (const { to } of next.get(room) ?? []) {
        const other = roomOf(to);
        if (other === null || other === room || seen.has(other)) continue;
        seen.add(other);
        reach(other, seen);
      }
      return seen;
    };

    expect(homeless).toEqual([]);
    expect(NOUNS.filter((room) => reach(room, new Set()).has(room))).toEqual([]);
  });

  it('names no partner above its adapter', () => {
    const partners =
      // A look-up is no parcel service.
      /(?<!look-)\b(gls|brt|dhl|fedex|inpost|poste|ups|tnt|woocommerce|shopify|prestashop|amazon|ebay|magento|mirakl|kaufland)\b/i;
    const layers = [
      ...['lib', 'domain', 'documents', 'db', 'queue', 'engine', 'usecases', 'api', 'workers', 'scheduler', 'cli'],
    ];
    const broken = files.filter((file) => layers.includes(layerOf(file)) && partners.test(readFileSync(file, 'utf8')));

    expect(broken).toEqual([]);
  });

  it('attempts writes by the one helper in engine, and by hand only where that would cost', () => {
    const by = (pattern: RegExp) =>
      files.filter((file) => layerOf(file) !== 'engine' && pattern.test(readFileSync(file, 'utf8'))).toSorted();

    // Booking goes past the ORM (decision 0024).
    expect(by(/\b(begin|end|endFailed|conclude)Attempt\(/)).toEqual(['src/usecases/shipments/book-shipment.ts']);
    // A look-up that finds something to take back has one lease for both.
    expect(by(/\bclaimedAt(: | = )Date\.now\(/)).toEqual([
      'src/usecases/shipments/book-shipment.ts',
      'src/usecases/shipments/reconcile-shipment.ts',
    ]);
  });

  it('has no import cycle', () => {
    const next = Map.groupBy(imports, ({ from }) => from);
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const { to } of next.get(file) ?? []) visit(to, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);

    expect(cycles).toEqual([]);
  });

  it('loads neither api nor pretend partners for a short command', () => {
    const loaded = new Set(['src/main.ts', 'src/core.ts']);
    for (const file of loaded) {
      const text = readFileSync(file, 'utf8');
      for (const [, target = ''] of text.matchAll(/^(?:import|export)\b(?! type\b)[^;]*?from '(\.[^']+)';$/gm)) {
        loaded.add(path.posix.join(path.posix.dirname(file), target));
      }
    }

    expect([...loaded]).toEqual(expect.arrayContaining(['src/cli/orders.ts', 'src/engine/vault.ts']));
    expect([...loaded].filter((file) => ['api', 'workers', 'demo'].includes(layerOf(file)))).toEqual([]);
  });

  it('lets only the composition root and the command line read the environment or end the process', () => {
    const allowed = /^src\/(main|demo\/demo|config|ending|env-file|cli\/with-core)\.ts$/;
    const broken = files.filter(
      (file) => !allowed.test(file) && /process\.(env|exit\()/.test(readFileSync(file, 'utf8')),
    );

    expect(broken).toEqual([]);
  });
});

describe('the console', () => {
  it('knows the API alone, and the product only its folder', () => {
    const sources = globSync('console/**/*.{ts,tsx}');
    const targetsOf = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, to = '']) =>
        path.posix.join(path.posix.dirname(file), to),
      );
    const outward = sources.filter((file) => targetsOf(file).some((target) => !target.startsWith('console/')));
    const inward = files.filter((file) => targetsOf(file).some((target) => target.startsWith('console/')));

    expect(sources.length).toBeGreaterThan(10);
    expect(outward).toEqual([]);
    expect(inward).toEqual([]);
  });
});

describe('the sandbox', () => {
  it('is a package of its own: neither imports the other but by its name, and only where it is wanted', () => {
    const outward = globSync('sandbox/**/*.ts').filter((file) => {
      const targets = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)];
      return targets.some(([, to = '']) => !path.posix.join(path.posix.dirname(file), to).startsWith('sandbox/'));
    });
    const inward = files.filter((file) => /from '(smista-sandbox|[./]+\/sandbox\/)/.test(readFileSync(file, 'utf8')));
    const loading = files.filter((file) => /import\('smista-sandbox'\)/.test(readFileSync(file, 'utf8')));

    expect(outward).toEqual([]);
    expect(inward).toEqual([]);
    expect(loading).toEqual(['src/load-sandbox.ts']);
  });
});

describe('the state machines', () => {
  it('are moved by the functions that ask their tables, and by nothing else', () => {
    const writers = files.filter((file) => /set (process_)?status = /.test(readFileSync(file, 'utf8')));

    expect(writers.filter((file) => !/operation/.test(file)).toSorted()).toEqual([
      'src/db/queries/statuses.ts',
      'src/usecases/upkeep/sweep.ts',
    ]);
  });
});
