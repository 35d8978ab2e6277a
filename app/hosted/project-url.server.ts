import { env } from '#app/platform/env.server.ts'

/** The hosted service's address of the auth protocol; it also issues its tokens under this name. */
export const PROJECT_URL = `${env.SUPABASE_URL}/auth/v1`
