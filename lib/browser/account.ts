import { post } from './post'

/** The signed-in account as it is now, with the complete list of its passkeys. @throws ApiClientError not_signed_in */
export const fetchAccount = () => post('/api/i')
