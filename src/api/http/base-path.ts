/** All endpoints are below this path. */
export const BASE_PATH = '/api/v1/external';
