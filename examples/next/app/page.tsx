export default function Home() {
  return (
    <form action="/buy" method="post">
      <button>Buy coffee, €24.00</button>
    </form>
  )
}
