import { useView } from '#app/ui/admin/use-view.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import type { ListedHost } from './calendar.ts'

/** The host in the address: one of them, or all (undefined). Without a choice, the reader if they take calls. */
export function useChosenHost(hosts: readonly ListedHost[], you: ListedHost): ListedHost | undefined {
  const { params } = useView()
  const named = params.get('host')
  if (named === 'all') return undefined
  return hosts.find(({ id }) => id === named) ?? (you.isActive ? you : undefined)
}

/** All hosts, then each who takes calls, and the reader. */
export function hostOptions(hosts: readonly ListedHost[]): { value: string; label: string }[] {
  const listed = hosts.filter(({ isActive, isYou }) => isActive || isYou)
  return [
    { value: 'all', label: 'All hosts' },
    ...listed.map(({ id, name, isYou }) => ({ value: id, label: isYou ? `${name} (you)` : name })),
  ]
}

/** Chooses the calls of one host, or of all. Hidden where there is only one. */
export function HostFilter({ hosts, you }: { hosts: readonly ListedHost[]; you: ListedHost }) {
  const { change } = useView()
  const chosen = useChosenHost(hosts, you)
  const options = hostOptions(hosts)
  if (options.length < 3) return null
  return (
    <Field label="Calls of" name="host" tool>
      <Select value={chosen?.id ?? 'all'} onChange={({ target }) => change({ host: target.value })}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
