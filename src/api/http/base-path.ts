/** Every endpoint of the contract is below it. */
export const BASE_PATH = '/api/v1/external';
