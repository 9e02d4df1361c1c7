//! Children that move into their parent's item, and out again.

use crate::support::assists::{check, check_and_back, check_not_offered, titles};
use crate::support::page;

/// Recipes and their steps, a table each.
const RECIPES: &str = r##"application Kitchen {
  domain "cooking"
  scale  "5 thousand recipes"
  region "us-east-1"
}

entity Recipe {
  recipe_id: uuid @id
  title:     string @size(40B)

  count 5k
}

entity RecipeStep {
  recipe_id: uuid @of(Recipe)
  step_no:   number @id
  text:      string @size(150B)

  count 40k
}

relationship Recipe 1:N RecipeStep { children avg 8, max 30 identifying }

table Recipes {
  partition key recipe_id
  item Recipe
}

table RecipeSteps {
  partition key recipe_id
  sort key step_no

  item RecipeStep$0
}

pattern Publish {
  transact write {
    put Recipe into Recipes if not_exists
    put RecipeStep into RecipeSteps times 8
  }
  rate avg 0.01/s, peak 1/s
}

/// Title and steps.
pattern Cook {
  get Recipe from Recipes
  query RecipeSteps where recipe_id = :recipe_id
  rate avg 5/s, peak 20/s
}

pattern ReadAloud {
  query RecipeSteps where recipe_id = :recipe_id consistent
  rate avg 1/s, peak 2/s
}

pattern Reword {
  update RecipeStep in RecipeSteps set text
  rate avg 0.001/s, peak 1/s
}

pattern Withdraw {
  transact write {
    delete Recipe from Recipes
    delete RecipeStep from RecipeSteps times 8
  }
  rate avg 0.001/s, peak 1/s
}
"##;

#[test]
fn children_move_into_their_parents_item_and_out_again() {
    let expected = RECIPES
        .replace("$0", "")
        .replace("\ntable RecipeSteps {\n  partition key recipe_id\n  sort key step_no\n\n  item RecipeStep\n}\n", "")
        .replace("  item Recipe\n", "  item Recipe embeds RecipeStep$0 as steps\n")
        .replace("    put RecipeStep into RecipeSteps times 8\n", "")
        .replace("    delete RecipeStep from RecipeSteps times 8\n", "")
        .replace("  query RecipeSteps where recipe_id = :recipe_id\n", "")
        .replace("query RecipeSteps where recipe_id = :recipe_id", "get RecipeStep from Recipes")
        .replace("update RecipeStep in RecipeSteps", "update RecipeStep in Recipes");
    check_and_back(
        RECIPES,
        "Embed `RecipeStep` in the items of `Recipe` as `steps`: −$",
        &expected,
        "Take `RecipeStep` out of the items of `Recipe`, to table `RecipeSteps`: +$",
    );
    // On the parent's item and on the relationship as well; and back from the names of
    // the relationship and of the child.
    let elsewhere = |text: &str, at: &str| text.replace("$0", "").replace(at, &format!("{at}$0"));
    for at in ["  item Recipe", "relationship Recipe"] {
        let model = elsewhere(RECIPES, at).replacen("RecipeStep$0", "RecipeStep", 1);
        check(&model, "Embed `RecipeStep` in the items of `Recipe` as `steps`", &expected);
    }
    let back = RECIPES.replace("$0", "");
    for at in ["relationship Recipe", "1:N Recipe", "entity RecipeSt"] {
        check(&elsewhere(&expected, at), "Take `RecipeStep` out of the items of `Recipe`", &back);
    }
    // A limit that cuts nothing off is no obstacle.
    let limited = RECIPES.replace(":recipe_id consistent", ":recipe_id consistent limit 30");
    check(&limited, "Embed `RecipeStep` in the items of `Recipe` as `steps`: −$", &expected);
    check_not_offered(&limited.replace("limit 30", "limit 29"), "Embed `RecipeStep`");
    let offer = "Embed `RecipeStep`";
    for (now, then) in [
        // The query finds a part, in an order; or it finds nothing, whatever it is for.
        ("query RecipeSteps where recipe_id = :recipe_id consistent", "query RecipeSteps where recipe_id = 3"),
        (":recipe_id consistent", ":recipe_id descending limit 1"),
        (":recipe_id consistent", ":recipe_id and step_no > 3"),
        // What is tested is the step, not the recipe.
        ("set text", "set text if exists"),
        ("times 8\n  }\n  rate avg 0.01", "times 8 if not_exists\n  }\n  rate avg 0.01"),
        // The steps expire, and the recipe does not.
        ("  item RecipeStep$0", "  ttl until\n\n  item RecipeStep$0"),
    ] {
        let model = RECIPES.replace(now, then).replace("text:      string", "until:     epoch\n  text:      string");
        if now != "set text" && !now.starts_with("times") {
            assert_ne!(model, RECIPES);
        }
        let tried = if now.starts_with("times") {
            model.replace("put Recipe into Recipes if not_exists\n    ", "")
        } else {
            model
        };
        check_not_offered(&tried, offer);
    }
}

#[test]
fn children_under_their_parents_partition_key_move_in_and_out() {
    let model = r##"application Radio {
  domain "music"
  scale  "1 thousand playlists"
  style  single_table
  region "us-east-1"
}

entity Playlist {
  playlistId: ulid @id
  title:      string @size(30B)

  count 1k
}

entity Track {
  trackId:    ulid @id
  playlistId: ulid @of(Playlist)
  title:      string @size(40B)

  count 50k
}

relationship Playlist$0 1:N Track { children avg 50, max 200 }

table Radio {
  partition key PK: string
  sort key SK: string

  item Playlist {
    PK = "LIST#{playlistId}"
    SK = "LIST"
  }
  item Track {
    PK = "LIST#{playlistId}"
    SK = "TRACK#{trackId}"
  }
}

pattern NewPlaylist { put Playlist into Radio rate avg 0.01/s, peak 1/s }

pattern AddTrack {
  put Track into Radio
  rate avg 0.1/s, peak 1/s
}

pattern RemoveTrack {
  delete Track from Radio
  rate avg 0.1/s, peak 1/s
}

pattern ShowAll {
  query Radio where PK = "LIST#{playlistId}"
  rate avg 5/s, peak 9/s
}

pattern Play {
  query Radio where PK = "LIST#{playlistId}" and SK begins_with "TRACK#"
  rate avg 5/s, peak 9/s
}
"##;
    let expected = model
        .replace("$0", "")
        .replace("  item Track {\n    PK = \"LIST#{playlistId}\"\n    SK = \"TRACK#{trackId}\"\n  }\n", "")
        .replace("  item Playlist {", "  item Playlist embeds $0Track as tracks {")
        .replace("query Radio where PK = \"LIST#{playlistId}\" and SK begins_with \"TRACK#\"", "get Track from Radio");
    check_and_back(
        model,
        "Embed `Track` in the items of `Playlist` as `tracks`",
        &expected,
        "Take `Track` out of the items of `Playlist`, to items of its own",
    );
}

#[test]
fn children_found_by_an_index_move_into_another_files_table() {
    let model = r##"import "repairs.dynamo"
entity Bike { bikeId: uuid @id frame: string @size(20B) count 10k }
table Bikes { partition key bikeId item Bike }
pattern Buy { put Bike into Bikes rate avg 0.1/s, peak 1/s }
pattern Look { get Bike from Bikes rate avg 0.1/s, peak 1/s }
//- repairs.dynamo
entity BikeRepair { repairId: ulid @id bikeId: uuid @of(Bike) work: string @size(50B) count 30k }
relationship Bike 1:N BikeRepair { children avg 3, max 40 }
table Repairs { partition key repairId $0item BikeRepair gsi RepairsOfBike { partition key bikeId } }
pattern Repair { put BikeRepair into Repairs rate avg 0.1/s, peak 1/s }
pattern Amend { writes BikeRepair by bikeId update BikeRepair in Repairs set work rate avg 0.01/s, peak 1/s }
pattern History { query Repairs.RepairsOfBike where bikeId = :bikeId rate avg 1/s, peak 2/s }
"##;
    let expected = r##"import "repairs.dynamo"
entity Bike { bikeId: uuid @id frame: string @size(20B) count 10k }
table Bikes { partition key bikeId item Bike embeds BikeRepair as repairs }
pattern Buy { put Bike into Bikes rate avg 0.1/s, peak 1/s }
pattern Look { get Bike from Bikes rate avg 0.1/s, peak 1/s }
//- repairs.dynamo
entity BikeRepair { repairId: ulid @id bikeId: uuid @of(Bike) work: string @size(50B) count 30k }
relationship Bike 1:N BikeRepair { children avg 3, max 40 }
pattern Repair { put BikeRepair into Bikes rate avg 0.1/s, peak 1/s }
pattern Amend { writes BikeRepair by bikeId update BikeRepair in Bikes set work rate avg 0.01/s, peak 1/s }
pattern History { get BikeRepair from Bikes rate avg 1/s, peak 2/s }
"##;
    check(model, "Embed `BikeRepair` in the items of `Bike` as `repairs`", expected);
    // Who amends a repair does not say whose bike it is.
    check_not_offered(&model.replace("writes BikeRepair by bikeId ", ""), "Embed");
    check_not_offered(&model.replace("{ query Repairs.", "{ scan Repairs filter bikeId = :x query Repairs."), "Embed");
}

#[test]
fn children_that_do_not_know_the_partition_get_a_table() {
    let model = r##"application Depot {
  domain "logistics"
  scale  "20 carriers"
}

entity Carrier {
  carrier: string @id @size(8B)
  name:    string @size(30B)

  count 20
}

entity Trip {
  trip_id: ulid @id
  carrier: string @of(Carrier)
  state:   enum(open, done)

  count 1M
}

entity Stop {
  stop_no: number @id
  trip_id: ulid @of(Trip)
  city:    string @size(20B)
}

relationship Carrier 1:N Trip { children avg 50k, max 80k identifying }
relationship Trip 1:N Stop { children avg 4.5, max 20 identifying }

/// What drives.
table Trips {
  partition key carrier
  sort key sk: string
  point_in_time_recovery

  item Carrier { sk = "CARRIER" }
  item Trip embeds $0Stop as stops { sk = "TRIP#{trip_id}" }
} // by carrier

pattern AddCarrier {
  put Carrier into Trips
  rate avg 0.001/s, peak 1/s
}

pattern Plan {
  put Trip into Trips if not_exists
  rate avg 1/s, peak 5/s
}

pattern Drive {
  reads Stop by trip_id
  get Stop from Trips
  rate avg 1/s, peak 5/s
}

pattern ShowTrip {
  reads Trip by trip_id
  get Trip from Trips
  rate avg 1/s, peak 5/s
}

pattern Recent {
  reads Carrier, Trip(state) by carrier
  query Trips where carrier = :carrier descending limit 20
  rate avg 1/s, peak 5/s
}
"##;
    let table =
        "table Stops {\n  partition key trip_id\n  sort key stop_no\n  point_in_time_recovery\n\n  item Stop\n}\n";
    let expected = model
        .replace(" embeds $0Stop as stops", "")
        .replace("} // by carrier\n", &format!("}} // by carrier\n\n{table}"))
        .replace(
            "  put Trip into Trips if not_exists\n",
            "  transact write {\n    put Trip into Trips if not_exists\n    put Stop into Stops times 5\n  }\n",
        )
        .replace("get Stop from Trips", "query Stops where trip_id = :trip_id");
    let offer = "Take `Stop` out of the items of `Trip`, to table `Stops`";
    check(model, offer, &expected);
    // The trips of a carrier with the stops of each: no query gives those.
    check_not_offered(&model.replace("Carrier, Trip(state)", "Carrier, Trip(state), Stop"), offer);
    // How many stops a trip is planned with is not said.
    check_not_offered(&model.replace("children avg 4.5, max 20 ", ""), offer);
    check_not_offered(&model.replace("reads Trip by trip_id", "reads Trip(stops) by trip_id"), "Take `Stop`");
}

#[test]
fn what_the_page_of_candidates_shows_can_be_embedded() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules/embed-candidate.md");
    let page = std::fs::read_to_string(page).expect("every rule has a page");
    for block in page::blocks(&page).into_iter().filter(|block| block.tag == "bad") {
        let text = String::from_utf8(block.files[0].bytes.clone()).expect("a page is text");
        let asked = text.replacen("relationship ", "relationship $0", 1);
        let titles = titles(&asked);
        assert!(titles.iter().any(|title| title.starts_with("Embed ")), "{titles:#?} in\n{text}");
    }
}
