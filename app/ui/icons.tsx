import type { ComponentType, SVGProps } from 'react'

/*
 * The icons that we use of Lucide (https://lucide.dev), which a test compares with the package `lucide-react`. The package has 1,700, in
 * 50 MB that each build would need. © Lucide Icons and Contributors, ISC License; those from Feather: © Cole Bemis, MIT License. Both are in
 * `icons-license.txt`.
 */

export type Icon = ComponentType<SVGProps<SVGSVGElement>>

type Circle = { cx: number; cy: number; r: number }
type Ellipse = { cx: number; cy: number; rx: number; ry: number }
type Rectangle = { x: number; y: number; width: number; height: number; rx: number; ry?: number }

/** A text is the course of a line. */
function icon(...shapes: (string | Circle | Ellipse | Rectangle)[]): Icon {
  const parts = shapes.map((shape) => {
    const key = JSON.stringify(shape)
    if (typeof shape === 'string') return <path key={key} d={shape} />
    if ('width' in shape) return <rect key={key} {...shape} />
    return 'r' in shape ? <circle key={key} {...shape} /> : <ellipse key={key} {...shape} />
  })
  return (props) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden={props['aria-label'] === undefined ? true : undefined}
      {...props}
    >
      {parts}
    </svg>
  )
}

export const ArrowDownIcon = icon('M12 5v14', 'm19 12-7 7-7-7')
export const ArrowLeftIcon = icon('m12 19-7-7 7-7', 'M19 12H5')
export const ArrowUpIcon = icon('m5 12 7-7 7 7', 'M12 19V5')
export const BellIcon = icon(
  'M10.268 21a2 2 0 0 0 3.464 0',
  'M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326',
)
export const BoldIcon = icon('M6 12h9a4 4 0 010 8H7a1 1 0 01-1-1V5a1 1 0 011-1h7a4 4 0 010 8')
export const BookmarkIcon = icon(
  'M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z',
)
export const CalendarDaysIcon = icon(
  'M8 2v3',
  'M16 2v3',
  { x: 3, y: 3, width: 18, height: 18, rx: 2 },
  'M3 9h18',
  'M8 13h.01',
  'M12 13h.01',
  'M16 13h.01',
  'M8 17h.01',
  'M12 17h.01',
  'M16 17h.01',
)
export const CheckIcon = icon('M20 6 9 17l-5-5')
export const CheckCheckIcon = icon('M18 6 7 17l-5-5', 'm22 10-7.5 7.5L13 16')
export const ChevronLeftIcon = icon('m15 18-6-6 6-6')
export const ChevronRightIcon = icon('m9 18 6-6-6-6')
export const CircleCheckIcon = icon({ cx: 12, cy: 12, r: 10 }, 'm16 9-5.5 5.5L8 12')
export const CircleXIcon = icon({ cx: 12, cy: 12, r: 10 }, 'm15 9-6 6', 'm9 9 6 6')
export const ClockIcon = icon({ cx: 12, cy: 12, r: 10 }, 'M12 6v6l4 2')
export const CodeIcon = icon('m16 18 6-6-6-6', 'm8 6-6 6 6 6')
export const Columns3Icon = icon({ x: 3, y: 3, width: 18, height: 18, rx: 2 }, 'M9 3v18', 'M15 3v18')
export const CornerDownRightIcon = icon('m15 10 5 5-5 5', 'M4 4v7a4 4 0 0 0 4 4h12')
export const DatabaseIcon = icon({ cx: 12, cy: 5, rx: 9, ry: 3 }, 'M3 5V19A9 3 0 0 0 21 19V5', 'M3 12A9 3 0 0 0 21 12')
export const DownloadIcon = icon('M12 15V3', 'M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4', 'm7 10 5 5 5-5')
export const EllipsisIcon = icon({ cx: 12, cy: 12, r: 1 }, { cx: 19, cy: 12, r: 1 }, { cx: 5, cy: 12, r: 1 })
export const ExternalLinkIcon = icon('M15 3h6v6', 'M10 14 21 3', 'M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6')
export const FileDownIcon = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 18v-6',
  'm9 15 3 3 3-3',
)
export const FileTextIcon = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M10 9H8',
  'M16 13H8',
  'M16 17H8',
)
export const FileUpIcon = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 12v6',
  'm15 15-3-3-3 3',
)
export const FilterIcon = icon(
  'M10 20a1 1 0 0 0 .553.895l2 1A1 1 0 0 0 14 21v-7a2 2 0 0 1 .517-1.341L21.74 4.67A1 1 0 0 0 21 3H3a1 1 0 0 0-.742 1.67l7.225 7.989A2 2 0 0 1 10 14z',
)
export const GripVerticalIcon = icon(
  { cx: 9, cy: 12, r: 1 },
  { cx: 9, cy: 5, r: 1 },
  { cx: 9, cy: 19, r: 1 },
  { cx: 15, cy: 12, r: 1 },
  { cx: 15, cy: 5, r: 1 },
  { cx: 15, cy: 19, r: 1 },
)
export const HeadingIcon = icon('M18 20V4', 'M6 12H18', 'M6 20V4')
export const HouseIcon = icon(
  'M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8',
  'M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
)
export const ImageIcon = icon(
  { x: 3, y: 3, width: 18, height: 18, rx: 2, ry: 2 },
  { cx: 9, cy: 9, r: 2 },
  'm21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21',
)
export const InboxIcon = icon(
  'M22 12 16 12 14 15 10 15 8 12 2 12',
  'M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z',
)
export const ItalicIcon = icon('M19 4 10 4', 'M14 20 5 20', 'M15 4 9 20')
export const KeyboardIcon = icon('M10 8h.01', 'M12 12h.01', 'M14 8h.01', 'M16 12h.01', 'M18 8h.01', 'M6 8h.01', 'M7 16h10', 'M8 12h.01', {
  x: 2,
  y: 4,
  width: 20,
  height: 16,
  rx: 2,
})
export const LayoutDashboardIcon = icon(
  { x: 3, y: 3, width: 7, height: 9, rx: 1 },
  { x: 14, y: 3, width: 7, height: 5, rx: 1 },
  { x: 14, y: 12, width: 7, height: 9, rx: 1 },
  { x: 3, y: 16, width: 7, height: 5, rx: 1 },
)
export const LinkIcon = icon(
  'M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71',
  'M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71',
)
export const Link2Icon = icon('M9 17H7A5 5 0 0 1 7 7h2', 'M15 7h2a5 5 0 1 1 0 10h-2', 'M8 12 16 12')
export const ListIcon = icon('M3 5h.01', 'M3 12h.01', 'M3 19h.01', 'M8 5h13', 'M8 12h13', 'M8 19h13')
export const ListOrderedIcon = icon(
  'M11 5h10',
  'M11 12h10',
  'M11 19h10',
  'M4 4h1v5',
  'M4 9h2',
  'M6.5 20H3.4c0-1 2.6-1.925 2.6-3.5a1.5 1.5 0 0 0-2.6-1.02',
)
export const MailCheckIcon = icon(
  'M22 13V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h8',
  'm22 7-8.97 5.7a1.94 1.94 0 0 1-2.06 0L2 7',
  'm16 19 2 2 4-4',
)
export const MailIcon = icon('m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7', { x: 2, y: 4, width: 20, height: 16, rx: 2 })
export const MailsIcon = icon('M17 19a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 1-1.732', 'm22 5.5-6.419 4.179a2 2 0 0 1-2.162 0L7 5.5', {
  x: 7,
  y: 3,
  width: 15,
  height: 12,
  rx: 2,
})
export const PackageIcon = icon(
  'M11 21.73a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73z',
  'M12 22V12',
  'M3.29 7 12 12 20.71 7',
  'm7.5 4.27 9 5.15',
)
export const PanelLeftCloseIcon = icon({ x: 3, y: 3, width: 18, height: 18, rx: 2 }, 'M9 3v18', 'm16 15-3-3 3-3')
export const PanelLeftOpenIcon = icon({ x: 3, y: 3, width: 18, height: 18, rx: 2 }, 'M9 3v18', 'm14 9 3 3-3 3')
export const PaperclipIcon = icon(
  'm16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551',
)
export const PencilIcon = icon(
  'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z',
  'm15 5 4 4',
)
export const PlusIcon = icon('M5 12h14', 'M12 5v14')
export const RotateCwIcon = icon('M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8', 'M21 3v5h-5')
export const RouteIcon = icon('M9 5h8.5a1 1 0 010 7h-11a1 1 0 000 7H15', { cx: 18, cy: 19, r: 3 }, { cx: 6, cy: 5, r: 3 })
export const ScaleIcon = icon(
  'M12 3v18',
  'm19 8 3 8a5 5 0 0 1-6 0zV7',
  'M3 7h1a17 17 0 0 0 8-2 17 17 0 0 0 8 2h1',
  'm5 8 3 8a5 5 0 0 1-6 0zV7',
  'M7 21h10',
)
export const SearchIcon = icon('m21 21-4.34-4.34', { cx: 11, cy: 11, r: 8 })
export const SendIcon = icon(
  'M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11z',
  'm21.854 2.147-10.94 10.939',
)
export const Settings2Icon = icon('M14 17H5', 'M19 7h-9', { cx: 17, cy: 17, r: 3 }, { cx: 7, cy: 7, r: 3 })
export const ShuffleIcon = icon(
  'm18 14 4 4-4 4',
  'm18 2 4 4-4 4',
  'M2 18h1.973a4 4 0 0 0 3.3-1.7l5.454-8.6a4 4 0 0 1 3.3-1.7H22',
  'M2 6h1.972a4 4 0 0 1 3.6 2.2',
  'M22 18h-6.041a4 4 0 0 1-3.3-1.8l-.359-.45',
)
export const SquareIcon = icon({ x: 3, y: 3, width: 18, height: 18, rx: 2 })
export const SquareKanbanIcon = icon({ x: 3, y: 3, width: 18, height: 18, rx: 2 }, 'M8 7v7', 'M12 7v4', 'M16 7v9')
export const StarIcon = icon(
  'M11.525 2.295a.53.53 0 0 1 .95 0l2.31 4.679a2.123 2.123 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.123 2.123 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.122 2.122 0 0 0-1.973 0L6.396 21.01a.53.53 0 0 1-.77-.56l.881-5.139a2.122 2.122 0 0 0-.611-1.879L2.16 9.795a.53.53 0 0 1 .294-.906l5.165-.755a2.122 2.122 0 0 0 1.597-1.16z',
)
export const Table2Icon = icon('M3 9h18', 'M9 3v18', { x: 3, y: 3, width: 18, height: 18, rx: 2 })
export const TextQuoteIcon = icon('M17 5H3', 'M21 12H8', 'M21 19H8', 'M3 12v7')
export const Trash2Icon = icon(
  'M10 11v6',
  'M14 11v6',
  'M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6',
  'M3 6h18',
  'M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
)
export const UsersRoundIcon = icon('M18 21a8 8 0 0 0-16 0', { cx: 10, cy: 8, r: 5 }, 'M22 20c0-3.37-2-6.5-4-8a5 5 0 0 0-.45-8.3')
export const WebhookIcon = icon(
  'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2',
  'm6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06',
  'm12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8',
)
export const XIcon = icon('M18 6 6 18', 'm6 6 12 12')
