import { z } from 'zod'
import { textField } from './body.server.ts'

/** Extra fields of the grants by ID token, wallet signature and PKCE code. */
export const foreignFields = {
  provider: textField,
  client_id: textField,
  issuer: textField,
  id_token: textField,
  access_token: textField,
  nonce: textField,
  link_identity: z.boolean().nullish(),
  chain: textField,
  message: textField,
  signature: textField,
  auth_code: textField,
  code_verifier: textField,
}
