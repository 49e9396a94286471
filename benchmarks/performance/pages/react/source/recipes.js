export const recipes = {
  chickpea: { name: "Smoky chickpea stew", minutes: 35, serves: 4, cost: 5.2, tags: ["Vegan", "Freezes well"], parts: [["chickpeas", 400, "g"], ["tomatoes", 600, "g"], ["red peppers", 2, ""], ["smoked paprika", 2, "tsp"], ["garlic cloves", 3, ""], ["spinach", 120, "g"]] },
  salmon: { name: "Salmon and dill rice", minutes: 25, serves: 2, cost: 9.4, tags: ["Fish"], parts: [["salmon fillets", 2, ""], ["rice", 150, "g"]] },
  ramen: { name: "Miso mushroom ramen", minutes: 30, serves: 2, cost: 6.1, tags: ["Vegetarian"], parts: [["noodles", 200, "g"]] },
  tacos: { name: "Black bean tacos", minutes: 20, serves: 4, cost: 4.8, tags: ["Vegan"], parts: [["tortillas", 8, ""]] },
  pie: { name: "Leek and potato pie", minutes: 70, serves: 6, cost: 7.3, tags: ["Vegetarian"], parts: [["leeks", 3, ""]] },
};
export const shopping = [
  ["Chickpeas, 2 tins", true], ["Tomatoes, 900 g", false], ["Red peppers, 3", false], ["Spinach, 180 g", true], ["Salmon fillets, 2", false], ["Tortillas, 8", false],
];
