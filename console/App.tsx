import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso'
import { CurrentInstance, screenPath, useInstance } from './address.ts'
import { boot } from './boot.ts'
import { RequestError } from './api/request.ts'
import { WithSecondFactor } from './shell/FactorNeeded.tsx'
import { SessionDialogs } from './shell/SessionDialogs.tsx'
import { Shell } from './shell/Shell.tsx'
import { ErrorPanel, Skeleton } from './ui/States.tsx'

// One chunk for each group of screens.
const Links = lazy(() => import('./screens/links/Links.tsx').then((part) => part.Links))
const LinkScreen = lazy(() =>
  import('./screens/links/LinkScreen.tsx').then((part) => part.LinkScreen),
)
const editor = () => import('./screens/links/EditedLink.tsx')
const NewLink = lazy(() => editor().then((part) => part.NewLink))
const EditLink = lazy(() => editor().then((part) => part.EditLink))
const EditDeepLink = lazy(() => editor().then((part) => part.EditDeepLink))
const DeepLinks = lazy(() => import('./screens/links/DeepLinks.tsx').then((part) => part.DeepLinks))
const DeepLinkScreen = lazy(() =>
  import('./screens/links/DeepLinkScreen.tsx').then((part) => part.DeepLinkScreen),
)
const Start = lazy(() => import('./screens/start/Start.tsx').then((part) => part.Start))
const Payments = lazy(() => import('./screens/payments/Payments.tsx').then((part) => part.Payments))
const PaymentScreen = lazy(() =>
  import('./screens/payments/PaymentScreen.tsx').then((part) => part.PaymentScreen),
)
const movements = () => import('./screens/payments/MovementLists.tsx')
const Refunds = lazy(() => movements().then((part) => part.Refunds))
const Captures = lazy(() => movements().then((part) => part.Captures))
const Voids = lazy(() => movements().then((part) => part.Voids))

const Customers = lazy(() =>
  import('./screens/customers/Customers.tsx').then((part) => part.Customers),
)
const CustomerScreen = lazy(() =>
  import('./screens/customers/CustomerScreen.tsx').then((part) => part.CustomerScreen),
)
const chargeLists = () => import('./screens/charges/Charges.tsx')
const Charges = lazy(() => chargeLists().then((part) => part.Charges))
const Contracts = lazy(() => chargeLists().then((part) => part.Contracts))
const chargeScreens = () => import('./screens/charges/ChargeScreen.tsx')
const ChargeScreen = lazy(() => chargeScreens().then((part) => part.ChargeScreen))
const ContractScreen = lazy(() => chargeScreens().then((part) => part.ContractScreen))
const Checkouts = lazy(() =>
  import('./screens/checkouts/Checkouts.tsx').then((part) => part.Checkouts),
)
const CheckoutScreen = lazy(() =>
  import('./screens/checkouts/CheckoutScreen.tsx').then((part) => part.CheckoutScreen),
)
const Webhooks = lazy(() =>
  import('./screens/developers/Webhooks.tsx').then((part) => part.Webhooks),
)
const WebhookScreen = lazy(() =>
  import('./screens/developers/WebhookScreen.tsx').then((part) => part.WebhookScreen),
)
const Keys = lazy(() => import('./screens/developers/Keys.tsx').then((part) => part.Keys))
const KeyScreen = lazy(() =>
  import('./screens/developers/KeyScreen.tsx').then((part) => part.KeyScreen),
)
const Deliveries = lazy(() =>
  import('./screens/developers/Deliveries.tsx').then((part) => part.Deliveries),
)
const eventScreens = () => import('./screens/developers/Events.tsx')
const Events = lazy(() => eventScreens().then((part) => part.Events))
const EventScreen = lazy(() => eventScreens().then((part) => part.EventScreen))
const Platforms = lazy(() =>
  import('./screens/developers/Platforms.tsx').then((part) => part.Platforms),
)
const Settings = lazy(() => import('./screens/settings/Settings.tsx').then((part) => part.Settings))
const Processors = lazy(() =>
  import('./screens/settings/Processors.tsx').then((part) => part.Processors),
)
const Users = lazy(() => import('./screens/users/Users.tsx').then((part) => part.Users))
const Audit = lazy(() => import('./screens/settings/Audit.tsx').then((part) => part.Audit))
const Entities = lazy(() => import('./screens/settings/Entities.tsx').then((part) => part.Entities))
const Routes = lazy(() => import('./screens/settings/Routes.tsx').then((part) => part.Routes))
const Wording = lazy(() => import('./screens/wording/Wording.tsx').then((part) => part.Wording))
const Look = lazy(() => import('./screens/look/Look.tsx').then((part) => part.Look))
const Me = lazy(() => import('./screens/me/Me.tsx').then((part) => part.Me))

export function App() {
  return (
    <LocationProvider scope="/console">
      <ErrorBoundary>
        <Router onLoadStart={() => {}} onRouteChange={announceScreen}>
          <Route path="/console" component={Entry} />
          <Route path="/console/:instance/links" component={inInstance(Links)} />
          <Route path="/console/start" component={FirstStart} />
          <Route path="/console/me" component={OwnScreen} />
          <Route path="/console/:instance" component={inInstance(ToLinks)} />
          <Route path="/console/:instance/links/new" component={inInstance(NewLink)} />
          <Route path="/console/:instance/links/deep" component={inInstance(DeepLinks)} />
          <Route path="/console/:instance/links/deep/:id" component={inInstance(DeepLinkScreen)} />
          <Route
            path="/console/:instance/links/deep/:id/edit"
            component={inInstance(EditDeepLink)}
          />
          <Route path="/console/:instance/links/:id" component={inInstance(LinkScreen)} />
          <Route path="/console/:instance/links/:id/edit" component={inInstance(EditLink)} />
          <Route path="/console/:instance/payments" component={inInstance(Payments)} />
          <Route path="/console/:instance/payments/:id" component={inInstance(PaymentScreen)} />
          <Route path="/console/:instance/refunds" component={inInstance(Refunds)} />
          <Route path="/console/:instance/captures" component={inInstance(Captures)} />
          <Route path="/console/:instance/voids" component={inInstance(Voids)} />
          <Route path="/console/:instance/customers" component={inInstance(Customers)} />
          <Route path="/console/:instance/customers/:id" component={inInstance(CustomerScreen)} />
          <Route path="/console/:instance/charges" component={inInstance(Charges)} />
          <Route path="/console/:instance/charges/:id" component={inInstance(ChargeScreen)} />
          <Route path="/console/:instance/contracts" component={inInstance(Contracts)} />
          <Route path="/console/:instance/contracts/:id" component={inInstance(ContractScreen)} />
          <Route path="/console/:instance/checkouts" component={inInstance(Checkouts)} />
          <Route path="/console/:instance/checkouts/:id" component={inInstance(CheckoutScreen)} />
          <Route path="/console/:instance/developers" component={inInstance(Webhooks)} />
          <Route path="/console/:instance/developers/webhooks" component={inInstance(Webhooks)} />
          <Route
            path="/console/:instance/developers/webhooks/:id"
            component={inInstance(WebhookScreen)}
          />
          <Route path="/console/:instance/developers/keys" component={inInstance(Keys)} />
          <Route path="/console/:instance/developers/keys/:id" component={inInstance(KeyScreen)} />
          <Route
            path="/console/:instance/developers/deliveries"
            component={inInstance(Deliveries)}
          />
          <Route path="/console/:instance/developers/events" component={inInstance(Events)} />
          <Route
            path="/console/:instance/developers/events/:id"
            component={inInstance(EventScreen)}
          />
          <Route path="/console/:instance/developers/platforms" component={inInstance(Platforms)} />
          <Route path="/console/:instance/settings" component={inInstance(Settings)} />
          <Route path="/console/:instance/settings/processors" component={inInstance(Processors)} />
          <Route path="/console/:instance/settings/entities" component={inInstance(Entities)} />
          <Route path="/console/:instance/settings/routes" component={inInstance(Routes)} />
          <Route path="/console/:instance/settings/users" component={inInstance(Users)} />
          <Route path="/console/:instance/settings/audit" component={inInstance(Audit)} />
          <Route path="/console/:instance/settings/:page" component={inInstance(Settings)} />
          <Route path="/console/:instance/wording" component={inInstance(Wording)} />
          <Route path="/console/:instance/look" component={inInstance(Look)} />
          <Route path="/console/:instance/look/:branding" component={inInstance(Look)} />
          <Route default component={inInstance(NotFound)} />
        </Router>
        <SessionDialogs />
      </ErrorBoundary>
    </LocationProvider>
  )
}

/** Leads to the first instance, and to the first link while there is none. */
function Entry() {
  const { route } = useLocation()
  const [first] = boot.instances
  useEffect(() => {
    if (first) route(boot.firstRun ? '/console/start' : screenPath(first.key, '/links'), true)
  }, [])
  return first ? <Skeleton /> : <NoInstance />
}

/** An instance opens with its links. */
function ToLinks() {
  const { screen } = useInstance()
  const { route } = useLocation()
  useEffect(() => route(screen('/links'), true), [])
  return <Skeleton />
}

/** The first link, in the first instance. */
function FirstStart() {
  const [first] = boot.instances
  if (!first) return <NoInstance />
  return (
    <CurrentInstance value={first}>
      <WithSecondFactor>
        <Start />
      </WithSecondFactor>
    </CurrentInstance>
  )
}

/** The user's own screen, within the first instance. */
function OwnScreen() {
  const [first] = boot.instances
  if (!first) return <NoInstance />
  return (
    <CurrentInstance value={first}>
      <Shell>
        <Me />
      </Shell>
    </CurrentInstance>
  )
}

/** Draws a screen of the instance that the address names. */
function inInstance(Screen: ComponentType) {
  return function InstanceScreen() {
    const { path } = useLocation()
    const [, , key = ''] = path.split('/')
    const instance = boot.instances.find((one) => one.key === decodeURIComponent(key))
    if (!instance) return <NoInstance />
    return (
      <CurrentInstance value={instance}>
        <Shell>
          <WithSecondFactor>
            <Screen />
          </WithSecondFactor>
        </Shell>
      </CurrentInstance>
    )
  }
}

function NotFound() {
  return <ErrorPanel error={new RequestError('', { status: 404, type: 'NOT_FOUND' })} />
}

function NoInstance() {
  return (
    <main>
      <NotFound />
      {boot.instances.map(({ key, name }) => (
        <p key={key}>
          <a href={screenPath(key, '/')}>{name}</a>
        </p>
      ))}
    </main>
  )
}

/** Moves the focus to the heading of the new screen, so that screen readers read it. */
function announceScreen(): void {
  requestAnimationFrame(() => {
    const title = document.getElementById('screen-title')
    title?.focus({ preventScroll: true })
    document.title = title?.textContent ? `${title.textContent} – Checkstand` : 'Checkstand'
  })
}
