import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const SHORT_MS = 30_000;
const TRIES = 3;

/** Answers of the API that screens share. A refusal is final; a lost connection is tried again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: SHORT_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < TRIES,
    },
  },
});
