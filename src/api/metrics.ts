import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. */
export interface Metrics {
  registry: Registry;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  observeJob(labels: { queue: string; outcome: string }, seconds: number): void;
}

interface MetricsOptions {
  /** Reads figures from the database for each scrape; null: another process shows them. */
  readRows: (() => Promise<Record<string, number>>) | null;
  /** Null: the process has no scheduler. */
  isLeader: (() => boolean) | null;
}

/** Creates the metrics of one process. */
export function createMetrics({ readRows, isLeader }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'smista_http_request_seconds',
    help: 'Response time by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const jobs = new Histogram({
    name: 'smista_job_seconds',
    help: 'Duration of jobs by queue and outcome',
    labelNames: ['queue', 'outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60],
    registers: [registry],
  });
  if (readRows) addRows(registry, readRows);
  if (isLeader) {
    const leader: Gauge = new Gauge({
      name: 'smista_scheduler_leader',
      help: '1 in the scheduler that fires, 0 in the others',
      registers: [registry],
      collect: () => leader.set(isLeader() ? 1 : 0),
    });
  }
  return {
    registry,
    observeRequest: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    observeJob: (labels, seconds) => jobs.observe(labels, seconds),
  };
}

function addRows(registry: Registry, readRows: () => Promise<Record<string, number>>): void {
  const failures = new Counter({
    name: 'smista_metrics_failures_total',
    help: 'Scrapes that could not read the database',
    registers: [registry],
  });
  const rows: Gauge<'kind'> = new Gauge({
    name: 'smista_rows',
    help: 'Open work by kind, read from the database',
    labelNames: ['kind'] as const,
    registers: [registry],
    async collect() {
      try {
        const counts = Object.entries(await readRows());
        rows.reset();
        for (const [kind, value] of counts) rows.set({ kind }, value);
      } catch {
        failures.inc(); // the scrape must not fail: the figures of the process are still valid
      }
    },
  });
}
