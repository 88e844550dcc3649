"""The words of the contrast sets: what goes with what. Nouns are "english=french gender", adjectives
"english=masculine/feminine" (one form when both are alike; further French words for it after |), verbs "english=french"
in the past; ; stands between them."""

ANIMALS = """dog=chien m; cat=chat m; horse=cheval m; donkey=âne m; wolf=loup m; rabbit=lapin m; camel=chameau m;
fox=renard m; squirrel=écureuil m; duck=canard m; animal=animal m; cow=vache f; goat=chèvre f; mouse=souris f;
tortoise=tortue f; frog=grenouille f; giraffe=girafe f; lioness=lionne f; mare=jument f; hen=poule f; ewe=brebis f"""
MOODS = """tired=fatigué/fatiguée; scared=effrayé/effrayée; weak=faible; lazy=paresseux/paresseuse; shy=timide;
nervous=nerveux/nerveuse; sick=malade; stubborn=têtu/têtue; drowsy=somnolent/somnolente"""

FAMILIES = {
    # name: (first nouns, second nouns, adjectives of the first, adjectives of the second, main clauses)
    # A main clause: English and French, denied; English and French, affirmed (or nothing).
    "roads": (
        ANIMALS,
        """street=rue f; road=route f; square=place f; avenue=avenue f; motorway=autoroute f; bridge=pont m;
        boulevard=boulevard m; path=sentier m; junction=carrefour m; car park=parking m""",
        MOODS,
        """wide=large; dangerous=dangereux/dangereuse; slippery=glissant/glissante; dark=sombre;
        crowded=bondé/bondée; exposed=exposé/exposée""",
        (
            ("the {a} didn't cross the {b}", "{a} n'a pas traversé {b}",
             "the {a} crossed the {b}", "{a} a traversé {b}"),
            ("the {a} did not cross the {b}", "{a} n'a pas traversé {b}", "", ""),
            ("the {b} was not crossed by the {a}", "{b} n'a pas été traversé{e_b} par {a}", "", ""),
            ("the {a} refused to cross the {b}", "{a} a refusé de traverser {b}", "", ""),
            ("the {a} avoided the {b}", "{a} a évité {b}",
             "the {a} ran across the {b}", "{a} a traversé {b} en courant"),
        ),
    ),
    "country": (
        ANIMALS,
        """river=rivière f; valley=vallée f; meadow=prairie f; forest=forêt f; plain=plaine f; stream=ruisseau m;
        lake=lac m; field=champ m; marsh=marais m; ravine=ravin m; canal=canal m""",
        MOODS,
        "wide=large; vast=vaste; dangerous=dangereux/dangereuse; muddy=boueux/boueuse",
        (
            ("the {a} didn't cross the {b}", "{a} n'a pas traversé {b}",
             "the {a} crossed the {b}", "{a} a traversé {b}"),
            ("the {a} couldn't get across the {b}", "{a} n'a pas pu traverser {b}", "", ""),
            ("the {a} turned back at the {b}", "{a} a fait demi-tour devant {b}", "", ""),
            ("the {b} was not crossed by the {a}", "{b} n'a pas été traversé{e_b} par {a}", "", ""),
        ),
    ),
    "food": (
        ANIMALS,
        """meat=viande f; apple=pomme f; soup=soupe f; carrot=carotte f; salad=salade f; pear=poire f; bread=pain m;
        fish=poisson m; cheese=fromage m; cake=gâteau m; rice=riz m; corn=maïs m""",
        "sick=malade; nervous=nerveux/nerveuse; scared=effrayé/effrayée; tired=fatigué/fatiguée; shy=timide",
        """salty=salé/salée; bitter=amer/amère; dry=sec/sèche; spicy=épicé/épicée; sour=acide; raw=cru/crue;
        burnt=brûlé/brûlée""",
        (
            ("the {a} didn't eat the {b}", "{a} n'a pas mangé {b}", "the {a} ate the {b}", "{a} a mangé {b}"),
            ("the {a} left the {b} alone", "{a} n'a pas touché {au_b}", "", ""),
            ("the {b} was not eaten by the {a}", "{b} n'a pas été mangé{e_b} par {a}", "", ""),
            ("the {a} would not eat the {b}", "{a} ne voulait pas manger {b}", "", ""),
        ),
    ),
    "containers": (
        """book=livre m; painting=tableau m; violin=violon m; computer=ordinateur m; pillow=oreiller m; hat=chapeau m;
        toy=jouet m; umbrella=parapluie m; lamp=lampe f; guitar=guitare f; blanket=couverture f; doll=poupée f;
        map=carte f; bottle=bouteille f; pan=casserole f""",
        """bag=sac m; drawer=tiroir m; cupboard=placard m; basket=panier m; locker=casier m; box=boîte f;
        suitcase=valise f; crate=caisse f; wardrobe=armoire f; pocket=poche f""",
        "big=grand/grande; large=grand/grande; long=long/longue; thick=épais/épaisse; bulky=encombrant/encombrante",
        "small=petit/petite; narrow=étroit/étroite; full=plein/pleine; tiny=petit/petite",
        (
            ("the {a} doesn't fit in the {b}", "{a} ne rentre pas dans {b}", "", ""),
            ("the {a} didn't fit in the {b}", "{a} ne rentrait pas dans {b}", "", ""),
            ("we couldn't put the {a} in the {b}", "nous n'avons pas pu mettre {a} dans {b}", "", ""),
            ("I didn't put the {a} in the {b}", "je n'ai pas mis {a} dans {b}", "", ""),
        ),
    ),
    "cutting": (
        """knife=couteau m; razor=rasoir m; chisel=ciseau m; dagger=poignard m; tool=outil m; saw=scie f; axe=hache f;
        blade=lame f; sword=épée f; scythe=faux f""",
        """wood=bois m; metal=métal m; leather=cuir m; bone=os m; cable=câble m; glass pane=carreau m; rope=corde f;
        branch=branche f; stone=pierre f; root=racine f; bark=écorce f; chain=chaîne f""",
        "blunt=émoussé/émoussée; rusty=rouillé/rouillée; light=léger/légère",
        "hard=dur/dure; thick=épais/épaisse; tough=résistant/résistante",
        (
            ("the {a} didn't cut the {b}", "{a} n'a pas coupé {b}", "the {a} cut the {b}", "{a} a coupé {b}"),
            ("the {a} doesn't cut the {b}", "{a} ne coupe pas {b}", "", ""),
            ("I couldn't cut the {b} with the {a}", "je n'ai pas pu couper {b} avec {a}", "", ""),
            ("the {b} was not cut by the {a}", "{b} n'a pas été coupé{e_b} par {a}", "", ""),
        ),
    ),
    "furniture": (
        """vase=vase m; mirror=miroir m; computer=ordinateur m; aquarium=aquarium m; television=télévision f;
        statue=statue f; clock=horloge f; lamp=lampe f; typewriter=machine à écrire f; radio=radio f""",
        """desk=bureau m; stool=tabouret m; bench=banc m; sideboard=buffet m; table=table f; shelf=étagère f;
        chair=chaise f; mantelpiece=cheminée f""",
        "heavy=lourd/lourde; bulky=encombrant/encombrante; valuable=précieux/précieuse",
        "narrow=étroit/étroite; wobbly=bancal/bancale; low=bas/basse; unstable=instable",
        (
            ("we didn't put the {a} on the {b}", "nous n'avons pas posé {a} sur {b}",
             "we put the {a} on the {b}", "nous avons posé {a} sur {b}"),
            ("she didn't leave the {a} on the {b}", "elle n'a pas laissé {a} sur {b}", "", ""),
            ("I took the {a} off the {b}", "j'ai enlevé {a} {de_b}", "", ""),
        ),
    ),
    "vehicles": (
        """bus=bus m; truck=camion m; tractor=tracteur m; taxi=taxi m; car=voiture f; van=camionnette f;
        ambulance=ambulance f; motorcycle=moto f""",
        """village=village m; garage=garage m; warehouse=entrepôt m; camp=camp m; farm=ferme f; town=ville f;
        factory=usine f; station=gare f""",
        "broken down=en panne; overloaded=surchargé/surchargée; out of petrol=en panne d'essence",
        "flooded=inondé/inondée; surrounded=encerclé/encerclée; closed=fermé/fermée",
        (
            ("the {a} didn't leave the {b}", "{a} n'a pas quitté {b}", "the {a} left the {b}", "{a} a quitté {b}"),
            ("the {a} couldn't leave the {b}", "{a} n'a pas pu quitter {b}", "", ""),
        ),
    ),
    "pouring": (
        "bucket=seau m; barrel=tonneau m; can=bidon m; jug=cruche f; kettle=bouilloire f; bottle=bouteille f",
        "glass=verre m; bowl=bol m; trough=bac m; cup=tasse f; basin=bassine f; bathtub=baignoire f",
        "empty=vide",
        "full=plein/pleine",
        (
            ("I poured the water from the {a} into the {b}", "j'ai versé l'eau {de_a} dans {b}", "", ""),
            ("she poured milk from the {a} into the {b}", "elle a versé du lait {de_a} dans {b}", "", ""),
            ("he poured wine from the {a} into the {b}", "il a versé du vin {de_a} dans {b}", "", ""),
        ),
    ),
}  # fmt: skip

HELD_OUT_FAMILIES = {
    "climbing": (
        "monkey=singe m; snake=serpent m; lion=lion m; goat=chèvre f; mouse=souris f; spider=araignée f",
        "rock=rocher m; wall=mur m; roof=toit m; hill=colline f; mountain=montagne f; tower=tour f",
        """exhausted=épuisé/épuisée|exténué/exténuée|fatigué/fatiguée|crevé/crevée; young=jeune;
        fat=gros/grosse|gras/grasse""",
        "steep=raide|escarpé/escarpée|abrupt/abrupte|pentu/pentue; high=haut/haute|élevé/élevée|grand/grande",
        (("the {a} didn't climb the {b}", "{a} n'a pas grimpé sur {b}", "", ""),
         ("the {a} couldn't climb the {b}", "{a} n'a pas pu grimper sur {b}", "", "")),
    ),
    "breaking": (
        "stick=bâton m; egg=œuf m; fist=poing m; brick=brique f; bullet=balle f; tomato=tomate f",
        "wall=mur m; roof=toit m; shield=bouclier m; window=fenêtre f; door=porte f; plate=assiette f",
        "soft=mou/molle|doux/douce|tendre; slow=lent/lente",
        "strong=solide|fort/forte|résistant/résistante; solid=solide|massif/massive|ferme|dur/dure",
        (("the {a} didn't break the {b}", "{a} n'a pas cassé {b}", "", ""),
         ("the {a} couldn't break the {b}", "{a} n'a pas pu casser {b}", "", "")),
    ),
    "washing": (
        """sweater=pull m; coat=manteau m; carpet=tapis m; shirt=chemise f; skirt=jupe f; jacket=veste f;
        scarf=écharpe f""",
        "sink=évier m; bath=bain m; washing machine=machine à laver f; fountain=fontaine f",
        "delicate=délicat/délicate|fragile; torn=déchiré/déchirée",
        "frozen=gelé/gelée|congelé/congelée|glacé/glacée; broken=cassé/cassée|brisé/brisée|en panne",
        (("I didn't wash the {a} in the {b}", "je n'ai pas lavé {a} dans {b}", "", ""),
         ("we couldn't wash the {a} in the {b}", "nous n'avons pas pu laver {a} dans {b}", "", "")),
    ),
    "passing": (
        "bed=lit m; sofa=canapé m; armchair=fauteuil m; machine=machine f; statue=statue f; harp=harpe f",
        "corridor=couloir m; tunnel=tunnel m; gate=portail m; window=fenêtre f; opening=ouverture f; entrance=entrée f",
        "tall=grand/grande|haut/haute; enormous=énorme|immense",
        "tight=serré/serrée|étroit/étroite; low=bas/basse",
        (("the {a} couldn't pass through the {b}", "{a} n'a pas pu passer par {b}", "", ""),
         ("the {a} didn't pass through the {b}", "{a} n'est pas passé{e_a} par {b}", "", "")),
    ),
    "seeing": (
        "sun=soleil m; plane=avion m; castle=château m; moon=lune f; church=église f; island=île f",
        "cloud=nuage m; fog=brouillard m; mist=brume f; smoke=fumée f",
        """distant=lointain/lointaine|éloigné/éloignée|loin|distant/distante;
        far away=éloigné/éloignée|loin|lointain/lointaine""",
        "dense=dense|épais/épaisse; thick=épais/épaisse|dense",
        (("we couldn't see the {a} behind the {b}", "nous n'avons pas pu voir {a} derrière {b}", "", ""),
         ("they didn't see the {a} behind the {b}", "ils n'ont pas vu {a} derrière {b}", "", "")),
    ),
}  # fmt: skip

WATERS = "river=rivière f; lake=lac m; canal=canal m; stream=ruisseau m"
BY_THE_WATER = """slept=a dormi; found a boat=a trouvé un bateau; lost a shoe=a perdu une chaussure; waited=a attendu;
lit a fire=a allumé un feu; had lunch=a déjeuné"""

# A noun of two senses. For each sense: its French (further words for it after |) and gender; adjectives that only this
# sense has; who or what is concerned with it; what is done to it. Before // for training, after // for the test.
NOUNS = """
bank | rive|berge|bord|rivage f | banque f
  green=vert/verte; muddy=boueux/boueuse // wild=sauvage; sandy=sablonneux/sablonneuse
  bankrupt=en faillite; rich=riche // profitable=rentable
  fisherman=pêcheur m; boatman=batelier m // swimmer=nageur m
  cashier=caissière f; lawyer=avocat m // robber=voleur m
  swam to=a nagé jusqu'à // rowed to=a ramé jusqu'à
  robbed=a dévalisé // managed=a dirigé
watch | montre f | garde f
  golden=en or; waterproof=étanche // expensive=cher/chère
  //
  watchmaker=horloger m // athlete=athlète m
  //
  wound=a remonté; repaired=a réparé // bought=a acheté
  relieved=a relevé; joined=a rejoint //
spring | ressort m | printemps m
  rusty=rouillé/rouillée; stretched=tendu/tendue // twisted=tordu/tordue
  rainy=pluvieux/pluvieuse; early=précoce // sunny=ensoleillé/ensoleillée
  mechanic=mécanicien m; watchmaker=horloger m // engineer=ingénieur m
  gardener=jardinier m; swallow=hirondelle f // poet=poète m
  bent=a plié; replaced=a remplacé //
  spent=a passé //
date | datte f | date f
  sweet=sucré/sucrée; dried=séché/séchée // delicious=délicieux/délicieuse
  historic=historique; final=définitif/définitive // official=officiel/officielle
  camel driver=chamelier m; baker=boulanger m // cook=cuisinier m
  historian=historien m; secretary=secrétaire f // bride=mariée f
  ate=a mangé; swallowed=a avalé // tasted=a goûté
  forgot=a oublié; fixed=a fixé // postponed=a reporté
match | allumette f | match m
  wet=mouillé/mouillée; burnt=brûlé/brûlée // wooden=en bois
  boring=ennuyeux/ennuyeuse; cancelled=annulé/annulée // exciting=passionnant/passionnante
  smoker=fumeur m; camper=campeur m //
  player=joueur m; referee=arbitre m // champion=champion m
  struck=a craqué; lit=a allumé // extinguished=a éteint
  won=a gagné; lost=a perdu // watched=a regardé
bat | chauve-souris f | batte f
  blind=aveugle; nocturnal=nocturne // hungry=affamé/affamée
  metallic=métallique; varnished=verni/vernie // wooden=en bois
  biologist=biologiste m; owl=hibou m // scientist=scientifique m
  player=joueur m; pitcher=lanceur m // sportsman=sportif m
  frightened=a effrayé; fed=a nourri // caught=a attrapé
  held=a tenu; swung=a brandi // carved=a sculpté
ring | bague|anneau f | ring m
  silver=en argent; engraved=gravé/gravée // precious=précieux/précieuse
  square=carré/carrée; raised=surélevé/surélevée //
  jeweller=bijoutier m; fiancée=fiancée f // bride=mariée f
  boxer=boxeur m; wrestler=lutteur m // champion=champion m
  wore=a porté; sold=a vendu // stole=a volé
  left=a quitté //
table | table f | tableau m
  round=rond/ronde; set=mis/mise // wooden=en bois
  statistical=statistique; alphabetical=alphabétique // numerical=numérique
  waiter=serveur m; carpenter=menuisier m // cook=cuisinier m
  statistician=statisticien m; accountant=comptable m // mathematician=mathématicien m
  laid=a mis; wiped=a essuyé // varnished=a verni
  printed=a imprimé; filled in=a rempli // calculated=a calculé
seal | phoque m | sceau|cachet|tampon m
  furry=poilu/poilue; playful=joueur/joueuse // hungry=affamé/affamée
  royal=royal/royale; official=officiel/officielle // medieval=médiéval/médiévale
  shark=requin m; diver=plongeur m // swimmer=nageur m
  king=roi m; notary=notaire m // minister=ministre m
  fed=a nourri; hunted=a chassé // caught=a attrapé
  engraved=a gravé; imprinted=a apposé //
pipe | pipe f | tuyau m
  carved=sculpté/sculptée; fragrant=parfumé/parfumée //
  blocked=bouché/bouchée; leaky=percé/percée // underground=souterrain/souterraine
  smoker=fumeur m; sailor=marin m // grandfather=grand-père m
  plumber=plombier m; mechanic=mécanicien m // engineer=ingénieur m
  smoked=a fumé; lit=a allumé //
  unblocked=a débouché; welded=a soudé //
bark | écorce f | aboiement m
  rough=rugueux/rugueuse; peeled=pelé/pelée //
  loud=sonore; fierce=féroce //
  woodcutter=bûcheron m; beaver=castor m //
  postman=facteur m; burglar=cambrioleur m //
  scraped=a gratté; removed=a enlevé //
  heard=a entendu //
palm | paume f | palmier m
  sweaty=moite; open=ouvert/ouverte //
  tropical=tropical/tropicale; leafy=feuillu/feuillue // tall=grand/grande
  fortune-teller=voyante f; doctor=médecin m //
  gardener=jardinier m; parrot=perroquet m //
  read=a lu; scratched=a gratté // kissed=a embrassé
  watered=a arrosé; cut down=a abattu // planted=a planté
file | lime f | dossier|fichier m
  rough=rugueux/rugueuse; rusty=rouillé/rouillée // made of metal=en métal
  confidential=confidentiel/confidentielle; secret=secret/secrète // complicated=compliqué/compliquée
  locksmith=serrurier m; prisoner=prisonnier m //
  lawyer=avocat m; secretary=secrétaire f // minister=ministre m
  sharpened=a affûté //
  read=a lu; signed=a signé // studied=a étudié
bow | arc m | nœud|noeud|ruban m
  taut=tendu/tendue; powerful=puissant/puissante // wooden=en bois
  untied=défait/défaite; pink=rose // silky=soyeux/soyeuse
  archer=archer m; hunter=chasseur m // warrior=guerrier m
  dressmaker=couturière f; florist=fleuriste f // bride=mariée f
  drew=a bandé // aimed=a pointé
  tied=a fait; untied=a défait //
pen | stylo|crayon m | enclos|parc m
  blue=bleu/bleue; out of ink=à court d'encre // expensive=cher/chère
  fenced=clôturé/clôturée; muddy=boueux/boueuse // sunny=ensoleillé/ensoleillée
  writer=écrivain m; schoolboy=écolier m // poet=poète m
  shepherd=berger m; farmer=fermier m // bull=taureau m
  lent=a prêté; borrowed=a emprunté // bought=a acheté
  cleaned out=a nettoyé; fenced=a clôturé //
drill | perceuse|foreuse f | exercice m
  electric=électrique; plugged in=branché/branchée // expensive=cher/chère
  military=militaire; repetitive=répétitif/répétitive // useful=utile
  carpenter=menuisier m; plumber=plombier m // workman=ouvrier m
  soldier=soldat m; sergeant=sergent m // teacher=professeur m
  plugged in=a branché; lent=a prêté // bought=a acheté
  repeated=a répété; finished=a fini // explained=a expliqué
calf | veau m | mollet m
  newborn=nouveau-né/nouveau-née; spotted=tacheté/tachetée // hungry=affamé/affamée
  muscular=musclé/musclée; swollen=enflé/enflée // painful=douloureux/douloureuse
  farmer=fermier m; butcher=boucher m // bull=taureau m
  cyclist=cycliste m; runner=coureur m // athlete=athlète m
  fed=a nourri; weighed=a pesé // sold=a vendu
  massaged=a massé; scratched=a gratté // injured=a blessé
case | valise|mallette f | affaire|cas f
  packed=fait/faite; heavy=lourd/lourde // empty=vide
  solved=résolu/résolue; judicial=judiciaire // complicated=compliqué/compliquée
  traveller=voyageur m; porter=porteur m // passenger=passager m
  detective=détective m; judge=juge m // policeman=policier m
  packed=a fait; unpacked=a défait // opened=a ouvert
  solved=a résolu; won=a gagné // studied=a étudié
tie | cravate f | égalité f
  striped=rayé/rayée; silk=en soie //
  unexpected=inattendu/inattendue; deserved=mérité/méritée //
  bridegroom=marié m; banker=banquier m //
  referee=arbitre m; goalkeeper=gardien m //
  knotted=a noué; ironed=a repassé //
  obtained=a obtenu; conceded=a concédé //
tip | pourboire m | conseil|astuce|tuyau m
  generous=généreux/généreuse; meagre=maigre //
  wise=sage; practical=pratique // useful=utile
  waiter=serveur m; barber=coiffeur m // driver=chauffeur m
  adviser=conseiller m; beginner=débutant m // teacher=professeur m
  pocketed=a empoché // paid=a payé
  followed=a suivi; ignored=a ignoré //
sentence | phrase f | peine|condamnation|sentence f
  grammatical=grammatical/grammaticale; ambiguous=ambigu/ambiguë // complicated=compliqué/compliquée
  suspended=suspendu/suspendue; lifelong=à perpétuité // severe=sévère
  translator=traducteur m; schoolboy=écolier m // poet=poète m
  prisoner=prisonnier m; judge=juge m // murderer=meurtrier m
  translated=a traduit; wrote=a écrit // explained=a expliqué
  served=a purgé; reduced=a réduit //
draft | courant d'air m | brouillon m
  icy=glacial/glaciale; chilly=frais/fraîche //
  illegible=illisible; handwritten=manuscrit/manuscrite //
  old lady=vieille dame f; singer=chanteuse f //
  writer=écrivain m; editor=éditeur m // poet=poète m
  felt=a senti; noticed=a remarqué //
  wrote=a écrit; corrected=a corrigé //
scale | balance f | écaille f
  accurate=précis/précise; electronic=électronique // digital=numérique
  shiny=brillant/brillante; slimy=visqueux/visqueuse //
  grocer=épicier m; butcher=boucher m // cook=cuisinier m
  fishmonger=poissonnier m; dragon=dragon m //
  adjusted=a réglé; switched on=a allumé // bought=a acheté
  scraped off=a gratté; tore off=a arraché //
horn | corne f | klaxon|avertisseur m
  pointed=pointu/pointue; curved=recourbé/recourbée //
  deafening=assourdissant/assourdissante; electric=électrique //
  rhinoceros=rhinocéros m; goatherd=chevrier m // bull=taureau m
  cyclist=cycliste m; motorist=automobiliste m // driver=chauffeur m
  sawed off=a scié; polished=a poli //
  heard=a entendu; repaired=a réparé //
nut | noix|noisette f | écrou m
  ripe=mûr/mûre; bitter=amer/amère // delicious=délicieux/délicieuse
  rusty=rouillé/rouillée; loose=desserré/desserrée // made of metal=en métal
  squirrel=écureuil m; baker=boulanger m // cook=cuisinier m
  mechanic=mécanicien m; plumber=plombier m // engineer=ingénieur m
  cracked=a cassé; ate=a mangé // tasted=a goûté
  tightened=a serré; unscrewed=a dévissé //
chip | frite f | puce f
  greasy=gras/grasse; crispy=croustillant/croustillante // delicious=délicieux/délicieuse
  electronic=électronique; miniature=miniature // complicated=compliqué/compliquée
  customer=client m; seagull=mouette f // cook=cuisinier m
  programmer=programmeur m; technician=technicien m // engineer=ingénieur m
  ate=a mangé; salted=a salé // tasted=a goûté
  designed=a conçu; programmed=a programmé // invented=a inventé
board | planche f | conseil|comité m
  planed=raboté/rabotée; rotten=pourri/pourrie // wooden=en bois
  unanimous=unanime; divided=divisé/divisée //
  carpenter=menuisier m; woodcutter=bûcheron m // workman=ouvrier m
  shareholder=actionnaire m; chairman=président m // minister=ministre m
  sawed=a scié; nailed down=a cloué // varnished=a verni
  convened=a convoqué; chaired=a présidé //
figure | silhouette|forme|figure f | chiffre|nombre m
  slender=mince; ghostly=fantomatique // graceful=gracieux/gracieuse
  even=pair/paire; decimal=décimal/décimale // exact=exact/exacte
  dressmaker=couturière f; night watchman=veilleur de nuit m //
  accountant=comptable m; statistician=statisticien m // mathematician=mathématicien m
  glimpsed=a aperçu; drew=a dessiné //
  rounded=a arrondi; added=a ajouté // calculated=a calculé
ruler | règle f | souverain|dirigeant|roi m
  graduated=gradué/graduée; plastic=en plastique // wooden=en bois
  cruel=cruel/cruelle; crowned=couronné/couronnée // severe=sévère
  schoolboy=écolier m; architect=architecte m // mathematician=mathématicien m
  subject=sujet m; courtier=courtisan m // warrior=guerrier m
  borrowed=a emprunté; lent=a prêté // bought=a acheté
  overthrew=a renversé; obeyed=a obéi à // killed=a tué
speaker | enceinte|haut-parleur f | orateur m
  plugged in=branché/branchée; portable=portable // digital=numérique
  eloquent=éloquent/éloquente; talkative=bavard/bavarde // hungry=affamé/affamée
  electrician=électricien m; guitarist=guitariste m // workman=ouvrier m
  audience=public m; crowd=foule f // minister=ministre m
  plugged in=a branché; repaired=a réparé // bought=a acheté
  applauded=a applaudi; interrupted=a interrompu // invited=a invité
bar | barre f | bar m
  bent=plié/pliée; metallic=métallique // made of metal=en métal
  smoky=enfumé/enfumée; crowded=bondé/bondée // noisy=bruyant/bruyante
  gymnast=gymnaste f; weightlifter=haltérophile m // athlete=athlète m
  drunkard=ivrogne m; barmaid=serveuse f // driver=chauffeur m
  sawed=a scié; bent=a plié //
  opened=a ouvert; left=a quitté //
star | étoile f | vedette|star f
  celestial=céleste; distant=lointain/lointaine //
  conceited=prétentieux/prétentieuse; photogenic=photogénique //
  astronomer=astronome m; sailor=marin m //
  photographer=photographe m; director=réalisateur m //
  observed=a observé //
  photographed=a photographié; interviewed=a interviewé //
ball | balle|ballon f | bal m
  deflated=dégonflé/dégonflée; bouncy=rebondissant/rebondissante // made of rubber=en caoutchouc
  masked=masqué/masquée; splendid=splendide // elegant=élégant/élégante
  goalkeeper=gardien m; tennis player=joueur de tennis m // sportsman=sportif m
  princess=princesse f; dancer=danseuse f // duchess=duchesse f
  kicked=a lancé; inflated=a gonflé // threw=a jeté
  organised=a organisé; attended=a assisté à // organized=a organisé
suit | costume m | procès m
  striped=rayé/rayée; ironed=repassé/repassée // elegant=élégant/élégante
  legal=judiciaire; lost=perdu/perdue // unjust=injuste
  tailor=tailleur m; bridegroom=marié m // sportsman=sportif m
  plaintiff=plaignant m; judge=juge m // policeman=policier m
  wore=a porté; ironed=a repassé // bought=a acheté
  lost=a perdu; won=a gagné // filed=a intenté
nail | ongle m | clou m
  // clean=propre; painted=peint/peinte|verni/vernie
  // wooden=en bois; made of metal=en métal
  // nurse=infirmière f
  // workman=ouvrier m; engineer=ingénieur m
  // bit=a rongé; painted=a peint
  // hammered=a enfoncé
plant | plante f | usine|centrale f
  // tall=grand/grande
  // noisy=bruyant/bruyante; profitable=rentable
  // botanist=botaniste m; bee=abeille f
  // workman=ouvrier m; engineer=ingénieur m
  // smelled=a senti; watered=a arrosé
  // managed=a dirigé; visited=a visité
chest | poitrine|torse f | coffre|malle|caisse m
  // hairy=poilu/poilue; painful=douloureux/douloureuse
  // wooden=en bois; empty=vide
  // nurse=infirmière f; athlete=athlète m
  // pirate=pirate m; thief=voleur m
  // injured=a blessé; examined=a examiné
  // opened up=a ouvert; stole=a volé
trunk | tronc m | coffre|malle m
  // leafless=sans feuilles; hollow=creux/creuse
  // locked=verrouillé/verrouillée; packed full=plein/pleine
  //
  //
  // cut up=a coupé
  // opened up=a ouvert
key | clé|clef f | touche f
  // lost=perdu/perdue; stolen=volé/volée
  // black=noir/noire; white=blanc/blanche
  // thief=voleur m; policeman=policier m
  // pianist=pianiste m; musician=musicien m
  // stole=a volé; dropped=a fait tomber
  // pressed=a appuyé sur
fan | ventilateur m | supporter|fan|admirateur m
  // electrical=électrique; noisy=bruyant/bruyante
  // enthusiastic=enthousiaste; disappointed=déçu/déçue
  // workman=ouvrier m; engineer=ingénieur m
  // champion=champion m; musician=musicien m
  // turned on=a allumé; turned off=a éteint
  // thanked=a remercié; kissed=a embrassé
coach | entraîneur m | car|autocar|autobus|bus m
  // severe=sévère; disappointed=déçu/déçue
  // empty=vide; late=en retard
  // athlete=athlète m; champion=champion m
  // passenger=passager m; driver=chauffeur m
  // thanked=a remercié; killed=a tué
  // drove=a conduit; missed=a manqué
jam | confiture f | embouteillage|bouchon m
  // delicious=délicieux/délicieuse; homemade=fait/faite maison
  // endless=interminable; frequent=fréquent/fréquente
  // cook=cuisinier m; child=enfant m
  // driver=chauffeur m; policeman=policier m
  // tasted=a goûté; spread=a étalé
  // caused=a causé
tank | char|tank|blindé m | réservoir|citerne|cuve m
  // armoured=blindé/blindée; Russian=russe
  // empty=vide; transparent=transparent/transparente
  // general=général m; enemy=ennemi m
  // driver=chauffeur m; engineer=ingénieur m
  // attacked=a attaqué; destroyed=a détruit
  // emptied=a vidé; filled=a rempli
race | course f | race f
  // exciting=passionnant/passionnante; tiring=fatigant/fatigante
  // human=humain/humaine; extinct=éteint/éteinte|disparu/disparue
  // athlete=athlète m; champion=champion m
  // anthropologist=anthropologue m; vet=vétérinaire m
  // watched=a regardé; organized=a organisé
  // described=a décrit
"""

# A property of two senses: its French for things of the one kind and of the other, and those things.
PROPERTIES = """
light | léger/légère | clair/claire
  suitcase=valise f; feather=plume f; parcel=paquet m; hammer=marteau m; bicycle=vélo m; blanket=couverture f; rucksack=sac à dos m // coat=manteau m; jacket=veste f; sofa=canapé m; bed=lit m
  room=pièce f; kitchen=cuisine f; wallpaper=papier peint m; office=bureau m; workshop=atelier m; colour=couleur f; wood=bois m // sky=ciel m; house=maison f; skin=peau f; flat=appartement m
hard | dur/dure | difficile
  stone=pierre f; bread=pain m; chair=chaise f; mattress=matelas m; bench=banc m; cheese=fromage m // bed=lit m; wall=mur m; ground=sol m
  exam=examen m; question=question f; job=travail m; lesson=leçon f; test=contrôle m; language=langue f // choice=choix m; exercise=exercice m; life=vie f
short | court/courte|bref/brève | petit/petite
  rope=corde f; dress=robe f; letter=lettre f; cable=câble m; speech=discours m; path=sentier m // skirt=jupe f; coat=manteau m; story=histoire f; movie=film m
  man=homme m; woman=femme f; soldier=soldat m; princess=princesse f; waiter=serveur m; dancer=danseuse f // boy=garçon m; girl=fille f; teacher=professeur m; nurse=infirmière f
bright | lumineux/lumineuse|brillant/brillante|vif/vive|clair/claire | intelligent/intelligente|brillant/brillante
  lamp=lampe f; kitchen=cuisine f; office=bureau m; light bulb=ampoule f; screen=écran m; mirror=miroir m //
  pupil=élève m; lawyer=avocat m; dancer=danseuse f; princess=princesse f; schoolboy=écolier m; secretary=secrétaire f //
"""  # noqa: E501
