import type { WrittenForm } from '#app/platform/text/written-form.ts'
import { accent } from '#app/ui/paper.ts'
import type { StoredSettings } from './sections.server.ts'

/** The sections that an owner has saved. A section that is missing has the defaults of its file. */
export type SettingValues = Readonly<Partial<StoredSettings>>

const none: SettingValues = {}
let source: () => SettingValues = () => none

/** The server reads them from memory; a live page gets them with its data. */
export function setSettingsSource(read: () => SettingValues): void {
  source = read
}

/** The sections that hold for this request. */
export function currentSettings(): SettingValues {
  return source()
}

/**
 * Content whose values an owner may replace. It reads like the object of its file, at each use: a constant of a module must not copy a
 * part of it. `merge` puts a saved section over the defaults.
 */
export function liveContent<Content extends object, Section extends keyof StoredSettings>(
  section: Section,
  defaults: Content,
  merge: (stored: StoredSettings[Section]) => Content,
): Content {
  let known: { stored: StoredSettings[Section]; content: Content } | undefined
  const current = (): Content => {
    const stored: StoredSettings[Section] | undefined = source()[section]
    if (stored === undefined) return defaults
    if (known?.stored !== stored) known = { stored, content: merge(stored) }
    return known.content
  }
  return new Proxy(defaults, {
    get: (_target, key): unknown => Reflect.get(current(), key),
    has: (_target, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(current(), key),
  })
}

/** How these settings write money and dates. `currency` is that of a business that has not chosen one. */
export function writtenFormOf({ formats }: SettingValues, currency: WrittenForm['currency']): WrittenForm {
  return { currency: formats?.currency ?? currency, locale: formats?.dates.startsWith('Day first') ? 'en-GB' : 'en' }
}

/** The address of an uploaded picture of the settings. */
export function siteFileUrl(file: string): string {
  return `/site-files/${file}`
}

/** The address of the style sheet of these accent colors. The colors are in it, so it never changes. */
export function brandStyleUrl({ accentLight, accentDark, textLight, textDark }: StoredSettings['branding']): string {
  const colors = [accentLight, accentDark, textLight, textDark].map((color) => color.slice(1))
  return `/brand/${colors.join('-')}.css`
}

/** The sizes of the site's icon in pixels: a tab, a home screen of Apple, and two of Android. */
export const ICON_SIZES = [32, 180, 192, 512] as const

/** The address of the icon of a brand: the logo, or our mark in its color. Both are in it, so it never changes. */
export function brandIconUrl({ accentDark, logo }: StoredSettings['branding'], size: (typeof ICON_SIZES)[number]): string {
  return siteFileUrl(`icon-${accentDark.slice(1)}-${logo?.split('.')[0] ?? 'mark'}-${size}.png`)
}

/** The brand of the icons, once it differs from ours: a logo, or another accent. */
export function iconBrand(): StoredSettings['branding'] | undefined {
  const { branding } = source()
  return branding && (branding.logo || branding.accentDark !== accent.grain.dark) ? branding : undefined
}
