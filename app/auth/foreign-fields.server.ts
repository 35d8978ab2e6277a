import { z } from 'zod'
import { text } from './body.server.ts'

/** What the grants need that are given for something signed elsewhere, or for what a flow has led to, beside the fields of the others. */
export const foreignFields = {
  provider: text,
  client_id: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: z.boolean().nullish(),
  chain: text,
  message: text,
  signature: text,
  auth_code: text,
  code_verifier: text,
}
