/** Where a call takes place: nowhere yet, at an address, by a link, or on the guest's telephone. */
export type PlaceKind = 'none' | 'link' | 'phone' | 'address'

/** The place of calls on the guest's telephone. */
export const WE_CALL = 'We call you'

/** To the guest, while no place is set. The host is reminded until there is one, and the guest is told then. */
export const LINK_COMES = 'You get the link before the call'

/** A place is a text for the guest, which says of which kind it is. */
export function placeKind(place: string): PlaceKind {
  if (place.trim() === '') return 'none'
  if (/^https?:\/\/\S+$/i.test(place.trim())) return 'link'
  return /^we\b.*\b(call|phone|ring)\b.*\byou\b/i.test(place.trim()) ? 'phone' : 'address'
}
