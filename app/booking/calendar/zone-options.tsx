/** The options of a select for a time zone. A zone that this browser does not know stays one of them. */
export function ZoneOptions({ chosen }: { chosen: string }) {
  const known = Intl.supportedValuesOf('timeZone')
  return (known.includes(chosen) ? known : [chosen, ...known]).map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ))
}
