// Reads cards from stdin, one JSON array of them, and prints what Adaptive Cards' own validation finds in each.
const { AdaptiveCard, SerializationContext, Versions } = require(process.argv[2]);

const problems = (json) => {
  const card = new AdaptiveCard();
  const context = new SerializationContext(Versions.v1_5);
  card.parse(json, context);
  const read = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index));
  const found = card.validateProperties().validationEvents;
  return [...read, ...found].map((event) => event.message);
};

const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk));
process.stdin.on("end", () => {
  const cards = JSON.parse(Buffer.concat(chunks).toString());
  process.stdout.write(JSON.stringify(cards.map(problems)));
});
