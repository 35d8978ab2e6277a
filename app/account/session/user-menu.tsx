import { lazy, Suspense, useRef } from 'react'
import { Avatar } from '#app/ui/avatar.tsx'
import { labelOf, type CurrentUser } from './current-user.ts'

const Menu = lazy(() => import('./user-menu-list.tsx').then(({ UserMenuList }) => ({ default: UserMenuList })))

export type MenuPerson = Pick<CurrentUser, 'email' | 'firstName' | 'avatarUrl'>

const ASKED = 'account-menu-asked'
const look = 'flex min-h-11 items-center gap-2 rounded-control px-1 hover:bg-sunken'

/**
 * The menu of a signed-in person at the end of the header, on a live page. Its list loads after the page, so its button first opens an
 * empty popover, which needs no script: the list reads from it that someone has pressed the button, and opens.
 */
export function UserMenu({ person }: { person: MenuPerson }) {
  const asked = useRef<HTMLSpanElement>(null)
  const label = labelOf(person)
  const face = (
    <>
      <span className="sr-only">Account of</span>
      <Avatar src={person.avatarUrl} label={label} />
      <span className="max-w-20 truncate text-small font-medium max-xl:sr-only in-[.rail]:lg:not-sr-only in-[.rail]:lg:max-w-28 in-[.rail]:lg:truncate lg:group-data-[rail=narrow]/rail:sr-only!">
        {label}
      </span>
    </>
  )
  const early = (
    <button type="button" aria-haspopup="menu" popoverTarget={ASKED} className={look}>
      {face}
    </button>
  )
  return (
    <>
      <span ref={asked} id={ASKED} popover="auto" className="hidden" />
      <Suspense fallback={early}>
        <Menu asked={asked} askedId={ASKED} look={look}>
          {face}
        </Menu>
      </Suspense>
    </>
  )
}
