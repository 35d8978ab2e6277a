import { env } from '#app/platform/env.server.ts'

/** The hosted service's auth URL, which is also its token issuer. */
export const PROJECT_URL = `${env.SUPABASE_URL}/auth/v1`
