import { lazy, Suspense } from 'react'
import { Avatar } from '#app/ui/avatar.tsx'
import { labelOf, type CurrentUser } from './current-user.ts'

const Menu = lazy(() => import('./user-menu-list.tsx').then(({ UserMenuList }) => ({ default: UserMenuList })))

export type MenuPerson = Pick<CurrentUser, 'email' | 'firstName' | 'avatarUrl'>

/** The menu of a signed-in person at the end of the header, on a live page. */
export function UserMenu({ person }: { person: MenuPerson }) {
  const label = labelOf(person)
  const face = (
    <>
      <Avatar src={person.avatarUrl} label={label} />
      <span className="max-w-20 truncate text-small font-medium max-xl:sr-only in-[.rail]:lg:not-sr-only in-[.rail]:lg:max-w-28 in-[.rail]:lg:truncate lg:group-data-[rail=narrow]/rail:sr-only!">
        {label}
      </span>
    </>
  )
  return (
    <Suspense fallback={<span className="flex min-h-11 items-center gap-2 px-1">{face}</span>}>
      <Menu>{face}</Menu>
    </Suspense>
  )
}
