import { XIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod/mini'
import { buttonLook } from '#app/ui/button-look.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { findReversed, type RangeEnd } from './range.ts'
import { SearchField } from './search-field.tsx'
import { useView } from './use-view.tsx'
import { withChanges } from './view.ts'

type Options = readonly { value: string; label: string }[]

/** A filter of a list; its value is in the address under its key. `isGiven` is one that links in the rows set. */
export type ListFilter = { key: string; label: string } & (
  | { placeholder: string }
  | {
      options: Options
      /** The option without a value in the address; otherwise the one whose value is empty. */
      usual?: string
      /** It is there while another filter has this value, and goes with it. */
      within?: { key: string; value: string }
    }
  | ({ isDay: true } & RangeEnd)
  | { isGiven: true }
  | RareKind
)

/** In a dialog with the other rare ones; while it is in use, it stands below the toolbar. `isMany`: several values, with commas between them. */
type RareKind = { isRare: true } & ({ options: Options; isMany?: true } | RareText)
/** `given` reads what is typed, and refuses what the list cannot be asked for; `show` is its text below the toolbar. */
type RareText = RangeEnd & { type: 'text' | 'amount' | 'date'; given?: z.ZodMiniType<string>; show?: (value: string) => string }
type CommonFilter = Exclude<ListFilter, { isRare: true }>

export type RareFilter = { key: string; label: string } & RareKind

export const isRare = (filter: ListFilter): filter is RareFilter => 'isRare' in filter

/** The filters above a list, as they are declared. */
export function ListFilters({ filters }: { filters: readonly ListFilter[] }) {
  const { params } = useView()
  const common = filters.filter((filter): filter is CommonFilter => !isRare(filter))
  return common.map((filter) => {
    if ('placeholder' in filter) {
      return <SearchField key={filter.key} name={filter.key} label={filter.label} placeholder={filter.placeholder} />
    }
    if ('isGiven' in filter) return <Given key={filter.key} filter={filter} />
    const isHidden = 'options' in filter && filter.within && params.get(filter.within.key) !== filter.within.value
    return isHidden ? null : <OneFilter key={filter.key} filter={filter} filters={common} />
  })
}

/** Removes itself. */
function Given({ filter: { key, label } }: { filter: ListFilter }) {
  const { params } = useView()
  const value = params.get(key)
  if (!value) return null
  return (
    <Link
      to={withChanges(params, { [key]: undefined })}
      preventScrollReset
      aria-label={`Remove the filter: ${label.toLowerCase()} ${value}`}
      className={buttonLook('quiet')}
    >
      <span className="max-w-40 truncate">
        {label}: {value}
      </span>
      <XIcon aria-hidden="true" className="size-4" />
    </Link>
  )
}

type OneFilterProps = { filter: Exclude<CommonFilter, { placeholder: string } | { isGiven: true }>; filters: readonly CommonFilter[] }

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
    <Field label={label} name={key} id={`filter-${key}`} tool error={findReversed(filter, filters, (each) => params.get(each))}>
      {'options' in filter ? (
        <Select className="max-w-44 field-sizing-content" value={value} onChange={choose}>
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
