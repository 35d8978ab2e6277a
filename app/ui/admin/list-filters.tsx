import { useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { SearchField } from './search-field.tsx'
import { useView } from './use-view.tsx'

type Options = readonly { value: string; label: string }[]

/** A filter of a list; its value is in the address under its key. A placeholder makes a search, options a choice, neither a day. */
export type ListFilter = { key: string; label: string } & (
  | { placeholder: string }
  | {
      options: Options
      /** The option without a value in the address; otherwise the one whose value is empty. */
      usual?: string
      /** It is there while another filter has this value, and goes with it. */
      within?: { key: string; value: string }
    }
  | { isDay: true }
)

/** The filters above a list, as they are declared. */
export function ListFilters({ filters }: { filters: readonly ListFilter[] }) {
  const { params } = useView()
  return filters.map((filter) => {
    if ('placeholder' in filter) {
      return <SearchField key={filter.key} name={filter.key} label={filter.label} placeholder={filter.placeholder} />
    }
    const isHidden = 'options' in filter && filter.within && params.get(filter.within.key) !== filter.within.value
    return isHidden ? null : <OneFilter key={filter.key} filter={filter} filters={filters} />
  })
}

type OneFilterProps = { filter: Exclude<ListFilter, { placeholder: string }>; filters: readonly ListFilter[] }

function OneFilter({ filter, filters }: OneFilterProps) {
  const { params, change } = useView()
  const { key, label } = filter
  const usual = 'options' in filter ? (filter.usual ?? '') : ''
  const value = params.get(key) ?? usual
  const choose = ({ target }: { target: { value: string } }) => {
    const gone = filters.filter((other) => 'options' in other && other.within?.key === key).map((other) => [other.key, undefined])
    change({ ...Object.fromEntries(gone), [key]: target.value === usual ? undefined : target.value })
  }
  // A form of the page may have a field of this name.
  return (
    <Field label={label} name={key} id={`filter-${key}`} tool>
      {'options' in filter ? (
        <Select className="max-w-44" value={value} onChange={choose}>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      ) : (
        <DayInput value={value} choose={choose} />
      )}
    </Field>
  )
}

type DayInputProps = { value: string; choose: (event: { target: { value: string } }) => void }

/** While a year is typed, its first digits make a year of their own: they are shown, and not asked for. */
function DayInput({ value, choose }: DayInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      type="date"
      className="max-w-34"
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value)
        if (!event.target.value.startsWith('0')) choose(event)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
