import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** The hash of each script for browsers, by its address, each after those that it imports. Empty in development. */
let hashes: ReadonlyMap<string, string> = new Map()
let placeOf: ReadonlyMap<string, number> = new Map()

/** Reads the hashes that the build has written. */
export function readIntegrity(file: string) {
  if (!existsSync(file)) return
  hashes = new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))))
  placeOf = new Map([...hashes.keys()].map((address, place) => [address, place]))
}

/** Adds the hash of every script that a document names or preloads, so that a browser runs no other text in its place. */
export function withIntegrity(html: string): string {
  const named = html.replaceAll(NAMED, (start, address: string) => {
    const hash = hashes.get(address)
    return hash ? `${start} integrity="${hash}"` : start
  })
  const routes = LIVE.exec(named)?.[0].replace(LIVE, '<script type="module" src="$1" integrity="$2"></script>')
  return routes ? named.replace('</head>', (end) => routes + end) : named
}

/** Puts the preloads of a document in an order in which each script comes after those that it imports. */
export function withImportsFirst(html: string): string {
  const links = [...html.matchAll(PRELOADED)].map(([link, address = '']) => ({ link, place: placeOf.get(address) ?? Infinity }))
  const sorted = links.toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place)).values()
  return html.replaceAll(PRELOADED, (link) => sorted.next().value?.link ?? link)
}

const PRELOADED = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g
const NAMED = /<(?:link rel="modulepreload" href|script type="module" src)="([^"]+)"/g
/** A live page imports its route manifest from an inline script, which cannot carry a hash. A script element of its own checks it first. */
const LIVE = /<link rel="modulepreload" href="(\/assets\/manifest-[^"]+)" integrity="([^"]+)"/
