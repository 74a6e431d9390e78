// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Claims to be a ticket contract.
abstract contract ClaimsTickets {
    struct Order {
        bytes32 orderKey;
        address to;
        uint256 quantity;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    function mintedQuantity(bytes32) external view virtual returns (uint256) {
        return 0;
    }

    function mintOrder(bytes32, address, uint256) external virtual {}

    function mintOrders(Order[] calldata) external virtual {}

    function burn(address, uint256[] calldata) external virtual {}
}

/// @dev Takes a chosen amount of gas for every mint and every burn.
contract GasBurningTickets is ClaimsTickets {
    uint256 private immutable _gas;
    uint256 public calls;

    constructor(uint256 gas_) {
        _gas = gas_;
    }

    function mintOrder(bytes32, address, uint256) external override {
        _spend();
    }

    function mintOrders(Order[] calldata) external override {
        _spend();
    }

    function burn(address, uint256[] calldata) external override {
        _spend();
    }

    function _spend() private {
        uint256 start = gasleft();
        ++calls;
        while (start - gasleft() < _gas) {}
    }
}

/// @dev Reports every order as minted, and never minted one.
contract LyingTickets is ClaimsTickets {
    function mintedQuantity(bytes32) external pure override returns (uint256) {
        return 1;
    }
}

/// @dev Mints every order to its deployer.
contract StealingTickets is ClaimsTickets {
    address private immutable _thief = msg.sender;
    mapping(bytes32 orderKey => uint256) private _minted;

    function mintedQuantity(bytes32 orderKey) external view override returns (uint256) {
        return _minted[orderKey];
    }

    function mintOrder(bytes32 orderKey, address, uint256 quantity) external override {
        _mint(orderKey, quantity);
    }

    function mintOrders(Order[] calldata orders) external override {
        for (uint256 index = 0; index < orders.length; ++index) {
            _mint(orders[index].orderKey, orders[index].quantity);
        }
    }

    function _mint(bytes32 orderKey, uint256 quantity) private {
        _minted[orderKey] = quantity;
        uint256 first = (uint256(orderKey) >> 16) << 16;
        for (uint256 index = 0; index < quantity; ++index) {
            emit Transfer(address(0), _thief, first + index);
        }
    }
}
