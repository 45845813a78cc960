import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. */
export interface Metrics {
  registry: Registry;
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
}

/** Creates the metrics of one process. Each scrape calls `readGauges` for figures from the database and the queue. */
export function createMetrics(readGauges: () => Promise<Record<string, number>>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'smista_http_request_seconds',
    help: 'Response time by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'smista_metrics_failures_total',
    help: 'Scrapes that could not read the database',
    registers: [registry],
  });
  const gauges = new Gauge({
    name: 'smista_rows',
    help: 'Open work by kind, read from the database',
    labelNames: ['kind'] as const,
    registers: [registry],
    async collect() {
      try {
        const rows = Object.entries(await readGauges());
        this.reset();
        for (const [kind, value] of rows) this.set({ kind }, value);
      } catch {
        failures.inc(); // the scrape must not fail: the figures of the process are still valid
      }
    },
  });
  void gauges;
  return {
    registry,
    observeRequest: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
  };
}
