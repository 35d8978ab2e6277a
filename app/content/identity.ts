import { liveContent } from './settings/live.ts'

type Place = { readonly label: string; readonly url: string }

type Identity = {
  readonly name: string
  readonly tagline: string
  /** The address for messages. */
  readonly email: string
  readonly messagingApp: Place
  readonly microblog: Place
  readonly professionalNetwork: Place
  /** A fourth network. Without a URL its name is shown without a link. */
  readonly fourthNetwork: Pick<Place, 'label'> & Partial<Place>
  /** The first year in business. */
  readonly since: string
  /** The years of the copyright line. */
  readonly years: string
}

const since = '2019'

/** The owner of this site, until other values are saved under Settings: no other file repeats them. The registered business is in legal.ts. */
const defaults: Identity = {
  name: 'Winnow',
  tagline: 'Messy web in, clean rows out.',
  email: 'hello@winnow.example',
  messagingApp: { label: 'WhatsApp', url: 'https://wa.me/15550100000' },
  microblog: { label: 'X', url: 'https://x.example/winnow' },
  professionalNetwork: { label: 'LinkedIn', url: 'https://linkedin.example/company/winnow' },
  fourthNetwork: { label: 'GitHub' },
  since,
  years: `${since}-2025`,
}

const withYears = liveContent('formats', defaults, ({ years }) => ({ ...defaults, years }))

const withLinks = liveContent('links', withYears, (links) => ({ ...withYears, ...links }))

export const identity = liveContent('identity', withLinks, (saved) => ({ ...withLinks, ...saved }))

/** Addresses under `.example` belong to no one. They are placeholders for your own, and are not published to search engines as yours. */
export function isExample(url: string): boolean {
  return new URL(url).hostname.endsWith('.example')
}
