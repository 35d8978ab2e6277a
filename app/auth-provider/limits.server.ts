import { perVisitor } from '#app/platform/http.server.ts'

/** A whole office signs in from one address; each of them makes a row that waits a while. */
export const authorizeLimit = perVisitor('auth-authorize', 150, '5 minutes')
export const callbackLimit = perVisitor('auth-callback', 150, '5 minutes')
export const identityLimit = perVisitor('auth-identity', 30, '5 minutes')
