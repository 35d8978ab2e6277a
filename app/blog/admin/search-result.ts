import { characterCount } from '#app/platform/text/clean-text.ts'
import type { PostFields } from './post-fields.ts'

/** Lengths in characters that search engines show in full. */
export const goodLengths = { metaTitle: { least: 30, most: 60 }, metaDescription: { least: 70, most: 160 } } as const

export type Length = { count: number; verdict: 'empty' | 'short' | 'good' | 'long' }

export function lengthOf(name: keyof typeof goodLengths, text: string): Length {
  const count = characterCount(text.trim())
  const { least, most } = goodLengths[name]
  if (count === 0) return { count, verdict: 'empty' }
  if (count < least) return { count, verdict: 'short' }
  return { count, verdict: count > most ? 'long' : 'good' }
}

/** The title and description in the head of the public page, with their defaults. */
export function searchResultOf({ metaTitle, title, metaDescription, excerpt }: PostFields) {
  return {
    title: cut(metaTitle.trim() || title.trim() || 'Untitled', goodLengths.metaTitle.most),
    description: cut(metaDescription.trim() || excerpt.trim(), goodLengths.metaDescription.most),
  }
}

/** Cuts like a search engine: after the last word that fits. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const fits = characters.slice(0, most).join('')
  const end = characters[most] === ' ' ? fits.length : fits.lastIndexOf(' ')
  return `${fits.slice(0, end > 0 ? end : fits.length).trimEnd()} …`
}
