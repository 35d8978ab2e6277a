import { Avatar } from '#app/ui/avatar.tsx'
import { laterCode } from '#app/ui/later-code.tsx'
import { MenuButton } from '#app/ui/menu-button.tsx'
import { labelOf, type CurrentUser } from './current-user.ts'

const code = laterCode('The menu', () => import('./user-menu-list.tsx'))

export type MenuPerson = Pick<CurrentUser, 'email' | 'firstName' | 'avatarUrl'>

/** The menu of a signed-in person at the end of the header, on a live page. */
export function UserMenu({ person, entries }: { person: MenuPerson; entries?: React.ReactNode }) {
  const label = labelOf(person)
  const face = (
    <>
      <span className="sr-only">Account of</span>
      <Avatar src={person.avatarUrl} label={label} />
      <span className="max-w-20 truncate text-small font-medium max-xl:sr-only in-[.rail]:lg:not-sr-only in-[.rail]:lg:max-w-23 in-[.rail]:lg:truncate lg:group-data-[rail=narrow]/rail:sr-only!">
        {label}
      </span>
    </>
  )
  return (
    <MenuButton code={code} face={face} className="flex min-h-11 items-center gap-2 rounded-control px-1 hover:bg-sunken">
      {({ UserMenuList }, trigger) => <UserMenuList trigger={trigger}>{entries}</UserMenuList>}
    </MenuButton>
  )
}
