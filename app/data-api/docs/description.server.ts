import { describe, type Endpoint } from './openapi.server.ts'
import type { OpenApi } from './operation.ts'

/** The endpoints of the last server that this process made: all of its servers have the same. */
let endpoints: readonly Endpoint[] = []
let made: Promise<OpenApi> | undefined

export function noteEndpoints(noted: readonly Endpoint[]) {
  endpoints = noted
  made = undefined
}

/** The description of all endpoints, created on first use. */
export function findDescription(): Promise<OpenApi> {
  made ??= describe(endpoints)
  made.catch(() => (made = undefined))
  return made
}
